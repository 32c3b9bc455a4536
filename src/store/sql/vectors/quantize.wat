;; Writes vectors as rows of bytes, and adds rows up. quantize.ts holds the result of
;; npx -p wabt wat2wasm quantize.wat && base64 -w0 quantize.wasm
;; Vectors and rows end where a multiple of sixteen numbers ends; what is unused is 0.
(module
  (import "" "memory" (memory 1))
  ;; The largest number of a vector without its sign; no finite number if one of them is none.
  (func (export "largest") (param $at i32) (param $end i32) (result f32)
    (local $largest v128) (local $bits i32)
    (loop $each_sixteen
      ;; Without their signs, the bits of numbers are in the order of the numbers; what is not a number is last.
      (local.set $largest (i32x4.max_s (local.get $largest) (i32x4.max_s
        (i32x4.max_s
          (f32x4.abs (v128.load (local.get $at)))
          (f32x4.abs (v128.load offset=16 (local.get $at))))
        (i32x4.max_s
          (f32x4.abs (v128.load offset=32 (local.get $at)))
          (f32x4.abs (v128.load offset=48 (local.get $at)))))))
      (br_if $each_sixteen (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 64))) (local.get $end))))
    (local.set $largest (i32x4.max_s (local.get $largest)
      (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $largest) (local.get $largest))))
    (local.set $largest (i32x4.max_s (local.get $largest)
      (i8x16.shuffle 4 5 6 7 0 1 2 3 12 13 14 15 8 9 10 11 (local.get $largest) (local.get $largest))))
    (f32x4.extract_lane 0 (local.get $largest)))
  ;; Writes numbers as bytes, the largest as 127 or -127, and returns the sum of the squares of the bytes.
  (func (export "quantize") (param $at i32) (param $end i32) (param $largest f32) (param $row i32) (result i32)
    (local $divisor v128) (local $most v128) (local $integer v128) (local $squares v128)
    (local $low v128) (local $high v128)
    (local.set $divisor (f32x4.splat (local.get $largest)))
    (local.set $most (f32x4.splat (f32.const 127)))
    ;; 1.5 * 2^23: once it is added, the last bits of a number are the nearest integer.
    (local.set $integer (f32x4.splat (f32.const 12582912)))
    (loop $each_sixteen
      (local.set $low (i16x8.narrow_i32x4_s
        (i32x4.sub (f32x4.add (f32x4.mul (f32x4.div (v128.load (local.get $at))
          (local.get $divisor)) (local.get $most)) (local.get $integer)) (local.get $integer))
        (i32x4.sub (f32x4.add (f32x4.mul (f32x4.div (v128.load offset=16 (local.get $at))
          (local.get $divisor)) (local.get $most)) (local.get $integer)) (local.get $integer))))
      (local.set $high (i16x8.narrow_i32x4_s
        (i32x4.sub (f32x4.add (f32x4.mul (f32x4.div (v128.load offset=32 (local.get $at))
          (local.get $divisor)) (local.get $most)) (local.get $integer)) (local.get $integer))
        (i32x4.sub (f32x4.add (f32x4.mul (f32x4.div (v128.load offset=48 (local.get $at))
          (local.get $divisor)) (local.get $most)) (local.get $integer)) (local.get $integer))))
      (v128.store (local.get $row) (i8x16.narrow_i16x8_s (local.get $low) (local.get $high)))
      (local.set $squares (i32x4.add (local.get $squares) (i32x4.add
        (i32x4.dot_i16x8_s (local.get $low) (local.get $low))
        (i32x4.dot_i16x8_s (local.get $high) (local.get $high)))))
      (local.set $row (i32.add (local.get $row) (i32.const 16)))
      (br_if $each_sixteen (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 64))) (local.get $end))))
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $squares)) (i32x4.extract_lane 1 (local.get $squares)))
      (i32.add (i32x4.extract_lane 2 (local.get $squares)) (i32x4.extract_lane 3 (local.get $squares)))))
  ;; Adds a row, times a factor, to sums of 64 bits.
  (func (export "add") (param $row i32) (param $end i32) (param $factor f64) (param $sum i32)
    (local $factors v128) (local $bytes v128) (local $low v128) (local $high v128)
    (local.set $factors (f64x2.splat (local.get $factor)))
    (loop $each_eight
      (local.set $bytes (v128.load8x8_s (local.get $row)))
      (local.set $low (i32x4.extend_low_i16x8_s (local.get $bytes)))
      (local.set $high (i32x4.extend_high_i16x8_s (local.get $bytes)))
      (v128.store (local.get $sum) (f64x2.add (v128.load (local.get $sum))
        (f64x2.mul (local.get $factors) (f64x2.convert_low_i32x4_s (local.get $low)))))
      (v128.store offset=16 (local.get $sum) (f64x2.add (v128.load offset=16 (local.get $sum))
        (f64x2.mul (local.get $factors) (f64x2.convert_low_i32x4_s
          (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $low) (local.get $low))))))
      (v128.store offset=32 (local.get $sum) (f64x2.add (v128.load offset=32 (local.get $sum))
        (f64x2.mul (local.get $factors) (f64x2.convert_low_i32x4_s (local.get $high)))))
      (v128.store offset=48 (local.get $sum) (f64x2.add (v128.load offset=48 (local.get $sum))
        (f64x2.mul (local.get $factors) (f64x2.convert_low_i32x4_s
          (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $high) (local.get $high))))))
      (local.set $sum (i32.add (local.get $sum) (i32.const 64)))
      (br_if $each_eight (i32.lt_u (local.tee $row (i32.add (local.get $row) (i32.const 8))) (local.get $end))))))
