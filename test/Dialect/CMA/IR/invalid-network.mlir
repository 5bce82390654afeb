// Constraints of contract and broadcast; equations.
// RUN: cma-opt %s --split-input-file --verify-diagnostics

func.func @operand_count_contract_c1(%x: tensor<2x3xf32>) {
  // expected-error @below {{'cma.contract' op expected 2 operands for "ij,jk->ik", got 1}}
  %0 = cma.contract "ij,jk->ik" (%x) : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @no_operand_contract_c1() {
  // expected-error @below {{'cma.contract' op expected 1 operands for "->", got 0}}
  %0 = cma.contract "->" () : () -> tensor<f32>
  return
}

// -----

func.func @operand_rank_contract_c2(%x: tensor<2x3xf32>, %w: tensor<3xf32>) {
  // expected-error @below {{'cma.contract' op expected operand #1 to have rank 2 for 'jk', got rank 1 ('tensor<3xf32>')}}
  %0 = cma.contract "ij,jk->ik" (%x, %w) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @extents_contract_c3(%x: tensor<2x3xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{'cma.contract' op expected label 'j' to have one extent, got 3 in operand #0 axis 1 and 4 in operand #1 axis 0}}
  %0 = cma.contract "ij,jk->ik" (%x, %w) : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @one_does_not_stretch_contract_c3(%x: tensor<2x1xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{expected label 'j' to have one extent, got 1 in operand #0 axis 1 and 4 in operand #1 axis 0}}
  %0 = cma.contract "ij,jk->ik" (%x, %w) : (tensor<2x1xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @diagonal_contract_c3(%x: tensor<2x3xf32>) {
  // expected-error @below {{expected label 'i' to have one extent, got 2 in operand #0 axis 0 and 3 in operand #0 axis 1}}
  %0 = cma.contract "ii->i" (%x) : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @result_rank_contract_c4(%x: tensor<2x3xf32>) {
  // expected-error @below {{'cma.contract' op expected the result to have rank 1 for 'i', got rank 2 ('tensor<2x3xf32>')}}
  %0 = cma.contract "ij->i" (%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @result_extent_contract_c4(%x: tensor<2x3xf32>) {
  // expected-error @below {{expected label 'i' to have one extent, got 2 in operand #0 axis 0 and 3 in the result axis 0}}
  %0 = cma.contract "ij->i" (%x) : (tensor<2x3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @repeated_result_contract_c5(%x: tensor<2xf32>) {
  // expected-error @below {{'cma.contract' op invalid equation "i->ii" at column 3: expected distinct result labels, got 'i' twice}}
  %0 = cma.contract "i->ii" (%x) : (tensor<2xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @new_result_contract_c5(%x: tensor<2xf32>) {
  // expected-error @below {{'cma.contract' op invalid equation "i->ij" at column 3: expected result label 'j' in an operand}}
  %0 = cma.contract "i->ij" (%x) : (tensor<2xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @element_types_contract_c6(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  // expected-error @below {{'cma.contract' op expected operand #1 to have the result's element type 'f32', got 'f64'}}
  %0 = cma.contract "i,i->i" (%x, %y) : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}

// -----

func.func @integer_sum_contract_c6(%x: tensor<2xi64>) {
  // expected-error @below {{'cma.contract' op expected a floating-point element type where values are multiplied or summed, got 'i64'}}
  %0 = cma.contract "i->" (%x) : (tensor<2xi64>) -> tensor<i64>
  return
}

// -----

func.func @integer_product_contract_c6(%x: tensor<2xi1>) {
  // expected-error @below {{expected a floating-point element type where values are multiplied or summed, got 'i1'}}
  %0 = cma.contract "i,i->i" (%x, %x) : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @position_contract_c7(%x: tensor<2xf32>) {
  // expected-error @below {{'cma.contract' op expected step 1 of 'path' to name positions below 2, got 2}}
  %0 = cma.contract "i,i,i->i" (%x, %x, %x) {path = [[0, 1], [0, 2]]}
      : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @negative_position_contract_c7(%x: tensor<2xf32>) {
  // expected-error @below {{'cma.contract' op expected step 0 of 'path' to name positions below 2, got -1}}
  %0 = cma.contract "i,i->i" (%x, %x) {path = [[-1, 0]]} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @repeated_position_contract_c7(%x: tensor<2xf32>) {
  // expected-error @below {{'cma.contract' op expected step 0 of 'path' to name distinct positions, got 1 twice}}
  %0 = cma.contract "i,i->i" (%x, %x) {path = [[1, 1]]} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @step_size_contract_c7(%x: tensor<2xf32>) {
  // expected-error @below {{'cma.contract' op expected step 0 of 'path' to name 1 or 2 operands, got 3}}
  %0 = cma.contract "i,i,i->i" (%x, %x, %x) {path = [[0, 1, 2]]}
      : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @short_path_contract_c7(%x: tensor<2xf32>) {
  // expected-error @below {{'cma.contract' op expected 'path' to leave one operand, got 2}}
  %0 = cma.contract "i,i,i->i" (%x, %x, %x) {path = [[0, 1]]}
      : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @planned_contract_c8(%x: tensor<2xf32>) {
  // expected-error @below {{'cma.contract' op expected 'planned' on at most 2 operands without 'path', got 3 operands}}
  %0 = cma.contract "i,i,i->i" (%x, %x, %x) {planned}
      : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @planned_path_contract_c8(%x: tensor<2xf32>) {
  // expected-error @below {{expected 'planned' on at most 2 operands without 'path', got 2 operands and a path}}
  %0 = cma.contract "i,i->i" (%x, %x) {planned, path = [[0, 1]]} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @operands_broadcast_c1(%x: tensor<2xf32>) {
  // expected-error @below {{'cma.broadcast' op invalid equation "i,j->ij" at column 0: expected one operand, got 2}}
  %0 = cma.broadcast "i,j->ij" (%x) : (tensor<2xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @repeated_broadcast_c1(%x: tensor<2x2xf32>) {
  // expected-error @below {{'cma.broadcast' op invalid equation "ii->i" at column 0: expected distinct operand labels, got 'i' twice}}
  %0 = cma.broadcast "ii->i" (%x) : (tensor<2x2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @summed_broadcast_c1(%x: tensor<2x3xf32>) {
  // expected-error @below {{'cma.broadcast' op invalid equation "ij->i" at column 4: expected operand label 'j' in the result}}
  %0 = cma.broadcast "ij->i" (%x) : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @rank_broadcast_c2(%x: tensor<2xf32>) {
  // expected-error @below {{'cma.broadcast' op expected the operand to have rank 2 for 'ij', got rank 1 ('tensor<2xf32>')}}
  %0 = cma.broadcast "ij->ijk" (%x) : (tensor<2xf32>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @result_rank_broadcast_c3(%x: tensor<2xf32>) {
  // expected-error @below {{'cma.broadcast' op expected the result to have rank 2 for 'ij', got rank 1 ('tensor<2xf32>')}}
  %0 = cma.broadcast "i->ij" (%x) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @extents_broadcast_c3(%x: tensor<2xf32>) {
  // expected-error @below {{'cma.broadcast' op expected label 'i' to have one extent, got 2 in the operand axis 0 and 3 in the result axis 1}}
  %0 = cma.broadcast "i->ii" (%x) : (tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @element_type_broadcast_c4(%x: tensor<2xf32>) {
  // expected-error @below {{'cma.broadcast' op expected the result to have the operand's element type 'f32', got 'f64'}}
  %0 = cma.broadcast "i->ij" (%x) : (tensor<2xf32>) -> tensor<2x3xf64>
  return
}
