// contract and broadcast: one to four operands, diagonals, hyper labels, scalars.
func.func @f(%a0: tensor<3x4xf64>) -> tensor<4x3xf64> {
  %0 = cma.contract "ab->ba" (%a0) : (tensor<3x4xf64>) -> tensor<4x3xf64>
  return %0 : tensor<4x3xf64>
}
// -----
func.func @f(%a0: tensor<3x4xf64>) -> tensor<3xf64> {
  %0 = cma.contract "ab->a" (%a0) : (tensor<3x4xf64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}
// -----
func.func @f(%a0: tensor<3x4xf64>) -> tensor<f64> {
  %0 = cma.contract "ab->" (%a0) : (tensor<3x4xf64>) -> tensor<f64>
  return %0 : tensor<f64>
}
// -----
func.func @f(%a0: tensor<3x3xf64>) -> tensor<3xf64> {
  %0 = cma.contract "aa->a" (%a0) : (tensor<3x3xf64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}
// -----
func.func @f(%a0: tensor<3x3xf64>) -> tensor<f64> {
  %0 = cma.contract "aa->" (%a0) : (tensor<3x3xf64>) -> tensor<f64>
  return %0 : tensor<f64>
}
// -----
func.func @f(%a0: tensor<3x4x3xf64>) -> tensor<4xf64> {
  %0 = cma.contract "aba->b" (%a0) : (tensor<3x4x3xf64>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}
// -----
func.func @f(%a0: tensor<3x4xf64>, %a1: tensor<4x2xf64>) -> tensor<3x2xf64> {
  %0 = cma.contract "ab,bc->ac" (%a0, %a1) : (tensor<3x4xf64>, tensor<4x2xf64>) -> tensor<3x2xf64>
  return %0 : tensor<3x2xf64>
}
// -----
func.func @f(%a0: tensor<3x4xf64>, %a1: tensor<4xf64>) -> tensor<3xf64> {
  %0 = cma.contract "ab,b->a" (%a0, %a1) : (tensor<3x4xf64>, tensor<4xf64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}
// -----
func.func @f(%a0: tensor<3xf64>, %a1: tensor<4xf64>) -> tensor<3x4xf64> {
  %0 = cma.contract "a,b->ab" (%a0, %a1) : (tensor<3xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  return %0 : tensor<3x4xf64>
}
// -----
func.func @f(%a0: tensor<3xf64>, %a1: tensor<3xf64>) -> tensor<f64> {
  %0 = cma.contract "a,a->" (%a0, %a1) : (tensor<3xf64>, tensor<3xf64>) -> tensor<f64>
  return %0 : tensor<f64>
}
// -----
func.func @f(%a0: tensor<3x4xf64>, %a1: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %0 = cma.contract "ab,ab->ab" (%a0, %a1) : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
  return %0 : tensor<3x4xf64>
}
// -----
func.func @f(%a0: tensor<3x4xf64>, %a1: tensor<3x4xf64>) -> tensor<f64> {
  %0 = cma.contract "ab,ab->" (%a0, %a1) : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<f64>
  return %0 : tensor<f64>
}
// -----
func.func @f(%a0: tensor<4x3x4xf64>, %a1: tensor<4x4x2xf64>) -> tensor<4x3x2xf64> {
  %0 = cma.contract "bij,bjk->bik" (%a0, %a1) : (tensor<4x3x4xf64>, tensor<4x4x2xf64>) -> tensor<4x3x2xf64>
  return %0 : tensor<4x3x2xf64>
}
// -----
func.func @f(%a0: tensor<3x3x4xf64>, %a1: tensor<4x2xf64>) -> tensor<3x2xf64> {
  %0 = cma.contract "aab,bc->ac" (%a0, %a1) : (tensor<3x3x4xf64>, tensor<4x2xf64>) -> tensor<3x2xf64>
  return %0 : tensor<3x2xf64>
}
// -----
func.func @f(%a0: tensor<3x4xf64>, %a1: tensor<2x5xf64>) -> tensor<f64> {
  %0 = cma.contract "ab,cd->" (%a0, %a1) : (tensor<3x4xf64>, tensor<2x5xf64>) -> tensor<f64>
  return %0 : tensor<f64>
}
// -----
func.func @f(%a0: tensor<3xf64>, %a1: tensor<f64>) -> tensor<3xf64> {
  %0 = cma.contract "a,->a" (%a0, %a1) : (tensor<3xf64>, tensor<f64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}
// -----
func.func @f(%a0: tensor<3x4xf64>, %a1: tensor<4x2xf64>, %a2: tensor<2x5xf64>) -> tensor<3x5xf64> {
  %0 = cma.contract "ab,bc,cd->ad" (%a0, %a1, %a2) : (tensor<3x4xf64>, tensor<4x2xf64>, tensor<2x5xf64>) -> tensor<3x5xf64>
  return %0 : tensor<3x5xf64>
}
// -----
func.func @f(%a0: tensor<3x4xf64>, %a1: tensor<3x2xf64>, %a2: tensor<3x5xf64>) -> tensor<4x2x5xf64> {
  %0 = cma.contract "ab,ac,ad->bcd" (%a0, %a1, %a2) : (tensor<3x4xf64>, tensor<3x2xf64>, tensor<3x5xf64>) -> tensor<4x2x5xf64>
  return %0 : tensor<4x2x5xf64>
}
// -----
func.func @f(%a0: tensor<3x4xf64>, %a1: tensor<4x2xf64>, %a2: tensor<2x3xf64>) -> tensor<f64> {
  %0 = cma.contract "ab,bc,ca->" (%a0, %a1, %a2) : (tensor<3x4xf64>, tensor<4x2xf64>, tensor<2x3xf64>) -> tensor<f64>
  return %0 : tensor<f64>
}
// -----
func.func @f(%a0: tensor<3xf64>, %a1: tensor<3xf64>, %a2: tensor<3xf64>) -> tensor<3xf64> {
  %0 = cma.contract "a,a,a->a" (%a0, %a1, %a2) : (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}
// -----
func.func @f(%a0: tensor<3x4xf64>, %a1: tensor<4x2xf64>, %a2: tensor<2x5xf64>, %a3: tensor<5x3xf64>) -> tensor<f64> {
  %0 = cma.contract "ab,bc,cd,da->" (%a0, %a1, %a2, %a3) : (tensor<3x4xf64>, tensor<4x2xf64>, tensor<2x5xf64>, tensor<5x3xf64>) -> tensor<f64>
  return %0 : tensor<f64>
}
// -----
func.func @f(%a0: tensor<3x3x4xf64>, %a1: tensor<4x2x2xf64>, %a2: tensor<2xf64>) -> tensor<3xf64> {
  %0 = cma.contract "aab,bcc,c->a" (%a0, %a1, %a2) : (tensor<3x3x4xf64>, tensor<4x2x2xf64>, tensor<2xf64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}
// -----
func.func @f(%a0: tensor<3x3xf64>, %a1: tensor<3x4xf64>, %a2: tensor<4x2xf64>, %a3: tensor<2x5xf64>) -> tensor<3x5xf64> {
  %0 = cma.contract "ai,ij,jk,kl->al" (%a0, %a1, %a2, %a3) : (tensor<3x3xf64>, tensor<3x4xf64>, tensor<4x2xf64>, tensor<2x5xf64>) -> tensor<3x5xf64>
  return %0 : tensor<3x5xf64>
}
// -----
func.func @f(%a0: tensor<3x4xf64>, %a1: tensor<f64>, %a2: tensor<2x5xf64>) -> tensor<4x5xf64> {
  %0 = cma.contract "ab,,cd->bd" (%a0, %a1, %a2) : (tensor<3x4xf64>, tensor<f64>, tensor<2x5xf64>) -> tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
func.func @f(%a0: tensor<4x3xf64>, %a1: tensor<3x4xf64>, %a2: tensor<4x2xf64>) -> tensor<4x2xf64> {
  %0 = cma.contract "bi,ij,jk->bk" (%a0, %a1, %a2) {path = [[1, 2], [0, 1]]} : (tensor<4x3xf64>, tensor<3x4xf64>, tensor<4x2xf64>) -> tensor<4x2xf64>
  return %0 : tensor<4x2xf64>
}
// -----
// ZERO
func.func @f(%a0: tensor<2x0xf64>, %a1: tensor<0x3xf64>) -> tensor<2x3xf64> {
  %0 = cma.contract "ab,bc->ac" (%a0, %a1) : (tensor<2x0xf64>, tensor<0x3xf64>) -> tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}
// -----
func.func @f(%a: tensor<3xf64>) -> tensor<4x3xf64> {
  %0 = cma.broadcast "a->ba" (%a) : (tensor<3xf64>) -> tensor<4x3xf64>
  return %0 : tensor<4x3xf64>
}
// -----
func.func @f(%a: tensor<3xf64>) -> tensor<3x3xf64> {
  %0 = cma.broadcast "a->aa" (%a) : (tensor<3xf64>) -> tensor<3x3xf64>
  return %0 : tensor<3x3xf64>
}
// -----
func.func @f(%a: tensor<4xf64>) -> tensor<3x3x4xf64> {
  %0 = cma.broadcast "b->aab" (%a) : (tensor<4xf64>) -> tensor<3x3x4xf64>
  return %0 : tensor<3x3x4xf64>
}
// -----
func.func @f(%a: tensor<3x4xf64>) -> tensor<4x2x3xf64> {
  %0 = cma.broadcast "ab->bca" (%a) : (tensor<3x4xf64>) -> tensor<4x2x3xf64>
  return %0 : tensor<4x2x3xf64>
}
// -----
func.func @f(%a: tensor<f64>) -> tensor<3x4xf64> {
  %0 = cma.broadcast "->ab" (%a) : (tensor<f64>) -> tensor<3x4xf64>
  return %0 : tensor<3x4xf64>
}
// -----
func.func @f(%x: tensor<3x4xf64>, %w: tensor<4x4xf64>) -> tensor<3x4xf64> {
  %0 = cma.contract "ab,bc->ac" (%x, %w) : (tensor<3x4xf64>, tensor<4x4xf64>) -> tensor<3x4xf64>
  %1 = cma.contract "ab,bc->ac" (%0, %w) : (tensor<3x4xf64>, tensor<4x4xf64>) -> tensor<3x4xf64>
  %2 = arith.mulf %0, %1 : tensor<3x4xf64>
  return %2 : tensor<3x4xf64>
}
