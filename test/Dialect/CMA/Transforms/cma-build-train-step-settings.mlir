// Settings that cannot work are errors that name them.
// RUN: not cma-opt %s --cma-build-train-step=loss-scale=dynamic:growth=1 2>&1 | FileCheck %s --check-prefix=GROWTH
// RUN: not cma-opt %s --cma-build-train-step=loss-scale=dynamic:growth=nan 2>&1 | FileCheck %s --check-prefix=NANGROWTH
// RUN: not cma-opt %s --cma-build-train-step=loss-scale=dynamic:backoff=1 2>&1 | FileCheck %s --check-prefix=BACKOFF
// RUN: not cma-opt %s --cma-build-train-step=loss-scale=dynamic:backoff=0.99999999999 2>&1 | FileCheck %s --check-prefix=NEARBACKOFF
// RUN: not cma-opt %s --cma-build-train-step=loss-scale=dynamic:backoff=1e-60 2>&1 | FileCheck %s --check-prefix=TINYBACKOFF
// RUN: not cma-opt %s --cma-build-train-step=loss-scale=keras:growth=1.00000001 2>&1 | FileCheck %s --check-prefix=NEARGROWTH
// RUN: not cma-opt %s --cma-build-train-step=loss-scale=dynamic:min=1e-60 2>&1 | FileCheck %s --check-prefix=TINYMIN
// RUN: not cma-opt %s --cma-build-train-step=loss-scale=static:1e-60 2>&1 | FileCheck %s --check-prefix=TINYSTATIC
// RUN: not cma-opt %s --cma-build-train-step=loss-scale=static:nan 2>&1 | FileCheck %s --check-prefix=NANSTATIC
// RUN: not cma-opt %s --cma-build-train-step=loss-scale=dynamic:init=3e38 2>&1 | FileCheck %s --check-prefix=BIGINIT
// RUN: not cma-opt %s --cma-build-train-step=loss-scale=dynamic:init=nan 2>&1 | FileCheck %s --check-prefix=NANINIT
// RUN: not cma-opt %s --cma-build-train-step=loss-scale=dynamic:min=nan 2>&1 | FileCheck %s --check-prefix=NANMIN
// RUN: not cma-opt %s --cma-build-train-step=loss-scale=dynamic:init=1,init=2 2>&1 | FileCheck %s --check-prefix=REPEATED
// RUN: not cma-opt %s --cma-build-train-step=loss-scale=megatron:refill=good,hysteresis=2,refill=good 2>&1 | FileCheck %s --check-prefix=REPEATEDREFILL
// RUN: not cma-opt %s --cma-build-train-step=loss-scale=dynamic:backoff=0 2>&1 | FileCheck %s --check-prefix=ZEROBACKOFF
// RUN: not cma-opt %s --cma-build-train-step=loss-scale=dynamic:interval=0 2>&1 | FileCheck %s --check-prefix=INTERVAL
// RUN: not cma-opt %s --cma-build-train-step=loss-scale=megatron:hysteresis=0 2>&1 | FileCheck %s --check-prefix=HYSTERESIS
// RUN: not cma-opt %s --cma-build-train-step=loss-scale=dynamic:delay=-1 2>&1 | FileCheck %s --check-prefix=DELAY
// RUN: not cma-opt %s --cma-build-train-step=loss-scale=static:0 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not cma-opt %s --cma-build-train-step=loss-scale=static:-8 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not cma-opt %s --cma-build-train-step=loss-scale=static:inf 2>&1 | FileCheck %s --check-prefix=INFINITE
// RUN: not cma-opt %s --cma-build-train-step=loss-scale=static 2>&1 | FileCheck %s --check-prefix=NOVALUE
// RUN: not cma-opt %s --cma-build-train-step=loss-scale=dynamic:min=0 2>&1 | FileCheck %s --check-prefix=MINIMUM
// RUN: not cma-opt %s --cma-build-train-step=loss-scale=dynamic:max=3e38 2>&1 | FileCheck %s --check-prefix=MAXIMUM
// RUN: not cma-opt %s --cma-build-train-step=loss-scale=dynamic:min=4,max=2,init=4 2>&1 | FileCheck %s --check-prefix=CROSSED
// RUN: not cma-opt %s --cma-build-train-step=loss-scale=dynamic:min=4,init=2 2>&1 | FileCheck %s --check-prefix=INIT
// RUN: not cma-opt %s --cma-build-train-step=loss-scale=dynamic:growth=fast 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not cma-opt %s --cma-build-train-step=loss-scale=dynamic:speed=2 2>&1 | FileCheck %s --check-prefix=KEY
// RUN: not cma-opt %s --cma-build-train-step=loss-scale=dynamic:refill=never 2>&1 | FileCheck %s --check-prefix=REFILL
// RUN: not cma-opt %s --cma-build-train-step=loss-scale=jax 2>&1 | FileCheck %s --check-prefix=PRESET
// RUN: not cma-opt %s --cma-build-train-step=loss-scale=dynamic: 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not cma-opt %s --cma-build-train-step=loss-scale=none:init=2 2>&1 | FileCheck %s --check-prefix=REST
// RUN: not cma-opt %s --cma-build-train-step=optimizer=adam 2>&1 | FileCheck %s --check-prefix=OPTIMIZER
// RUN: not cma-opt %s --cma-build-train-step=beta1=1 2>&1 | FileCheck %s --check-prefix=BETA
// RUN: not cma-opt %s --cma-build-train-step=beta2=-1 2>&1 | FileCheck %s --check-prefix=BETA2
// RUN: not cma-opt %s --cma-build-train-step=epsilon=-1 2>&1 | FileCheck %s --check-prefix=EPSILON
// RUN: not cma-opt %s --cma-build-train-step="optimizer=adamw momentum=0.5" 2>&1 | FileCheck %s --check-prefix=MOMENTUM
// RUN: not cma-opt %s --cma-build-train-step=clip=-1 2>&1 | FileCheck %s --check-prefix=CLIP
// RUN: not cma-opt %s --cma-build-train-step=clip=nan 2>&1 | FileCheck %s --check-prefix=CLIPNAN
// RUN: not cma-opt %s --cma-build-train-step=accumulate=0 2>&1 | FileCheck %s --check-prefix=PARTS

// GROWTH: error: invalid option 'loss-scale': {{.*}}expected 'growth' to be finite and above 1, got 1
// NANGROWTH: error: invalid option 'loss-scale': {{.*}}expected 'growth' to be finite and above 1, got nan
// BACKOFF: error: invalid option 'loss-scale': {{.*}}expected 'backoff' to be above 0 and below 1, got 1{{$}}
// NEARBACKOFF: error: invalid option 'loss-scale': {{.*}}expected 'backoff' to be above 0 and below 1, got 0.99999999999, which is 1 in f32
// TINYBACKOFF: error: invalid option 'loss-scale': {{.*}}expected 'backoff' to be above 0 and below 1, got 1e-60, which is 0 in f32
// NEARGROWTH: error: invalid option 'loss-scale': {{.*}}expected 'growth' to be finite and above 1, got 1.0000000{{[0-9]*}}, which is 1 in f32
// TINYMIN: error: invalid option 'loss-scale': {{.*}}expected 'min' to be at least 2^-126, the smallest scale with a finite reciprocal in f32, got 1e-60
// TINYSTATIC: error: invalid option 'loss-scale': {{.*}}expected a static scale from 2^-126 to 2^127, so that f32 holds it and its reciprocal, got 1e-60
// NANSTATIC: error: invalid option 'loss-scale': {{.*}}expected a static scale above 0 and finite, got nan
// BIGINIT: error: invalid option 'loss-scale': {{.*}}expected 'init' to be at most 'max', which is 1.70141e+38, got 3e+38
// NANINIT: error: invalid option 'loss-scale': {{.*}}expected 'init' to be at least 'min', which is 1.17549e-38, got nan
// NANMIN: error: invalid option 'loss-scale': {{.*}}expected 'min' to be at least 2^-126{{.*}}got nan
// REPEATED: error: invalid option 'loss-scale': {{.*}}expected 'init' once, got 'init=2' again
// REPEATEDREFILL: error: invalid option 'loss-scale': {{.*}}expected 'refill' once, got 'refill=good' again
// ZEROBACKOFF: error: invalid option 'loss-scale': {{.*}}expected 'backoff' to be above 0 and below 1, got 0
// INTERVAL: error: invalid option 'loss-scale': {{.*}}expected a whole number from 1 to 2^31 - 1 for 'interval', got '0'
// HYSTERESIS: error: invalid option 'loss-scale': {{.*}}expected a whole number from 1 to 2^31 - 1 for 'hysteresis', got '0'
// DELAY: error: invalid option 'loss-scale': {{.*}}expected a whole number from 0 to 2^31 - 1 for 'delay', got '-1'
// ZERO: error: invalid option 'loss-scale': {{.*}}expected a static scale above 0 and finite, got 0
// NEGATIVE: error: invalid option 'loss-scale': {{.*}}expected a static scale above 0 and finite, got -8
// INFINITE: error: invalid option 'loss-scale': {{.*}}expected a static scale above 0 and finite, got inf
// NOVALUE: error: invalid option 'loss-scale': {{.*}}expected a number for 'static', got ''
// MINIMUM: error: invalid option 'loss-scale': {{.*}}expected 'min' to be at least 2^-126, the smallest scale with a finite reciprocal in f32, got 0
// MAXIMUM: error: invalid option 'loss-scale': {{.*}}expected 'max' to be at most 2^127, got 3e+38
// CROSSED: error: invalid option 'loss-scale': {{.*}}expected 'min' to be at most 'max', got 4 and 2
// INIT: error: invalid option 'loss-scale': {{.*}}expected 'init' to be at least 'min', which is 4, got 2
// WORD: error: invalid option 'loss-scale': {{.*}}expected a number for 'growth', got 'fast'
// KEY: error: invalid option 'loss-scale': {{.*}}expected one of init, growth, backoff, interval, min, max, hysteresis, refill and delay, got 'speed'
// REFILL: error: invalid option 'loss-scale': {{.*}}expected 'growth' or 'good' for 'refill', got 'never'
// PRESET: error: invalid option 'loss-scale': {{.*}}expected 'none', 'static:VALUE', 'dynamic', 'pytorch', 'keras', 'megatron' or 'deepspeed', got 'jax'
// EMPTY: error: invalid option 'loss-scale': {{.*}}expected one of init
// REST: error: invalid option 'loss-scale': {{.*}}expected nothing behind 'none', got 'init=2'
// OPTIMIZER: error: expected 'optimizer' to be sgd or adamw, got 'adam'
// BETA: error: expected 'beta1' to be at least 0 and below 1, got 1
// BETA2: error: expected 'beta2' to be at least 0 and below 1, got -1
// EPSILON: error: expected 'epsilon' to be finite and not negative, got -1
// MOMENTUM: error: expected no 'momentum' for adamw, which has 'beta1', got 5.0
// CLIP: error: expected 'clip' to be finite and above 0, or 0 for no clipping, got -1
// CLIPNAN: error: expected 'clip' to be finite and above 0
// PARTS: error: expected 'accumulate' to be at least 1, got 0

// What is no power of two rounds, which is allowed.
// RUN: cma-opt %s --cma-differentiate --cma-build-train-step=loss-scale=static:1000 --remarks-filter=cma-build-train-step -o /dev/null 2>&1 | FileCheck %s --check-prefix=ROUNDS
// RUN: cma-opt %s --cma-differentiate --cma-build-train-step=loss-scale=keras:growth=1.5 --remarks-filter=cma-build-train-step -o /dev/null 2>&1 | FileCheck %s --check-prefix=GROWTHROUNDS
// ROUNDS: remark: {{.*}}no power of two: scaling and unscaling round{{.*}}setting=init
// GROWTHROUNDS: remark: {{.*}}no power of two: {{.*}}setting=growth
func.func @model(%w: tensor<4xf32> {cma.role = "parameter", cma.name = "w"}) -> (tensor<f32> {cma.role = "loss"}) {
  %loss = cma.mse %w, %w : tensor<4xf32> -> tensor<f32>
  return %loss : tensor<f32>
}
