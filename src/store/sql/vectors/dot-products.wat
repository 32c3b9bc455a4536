;; Multiplies vectors of bytes with one of 16-bit integers. dot-products.ts holds the result of
;; npx -p wabt wat2wasm dot-products.wat && base64 -w0 dot-products.wasm
(module
  (import "" "memory" (memory 1))
  ;; Writes the dot product of each row with the query as a 32-bit integer. A row has `stride` bytes, a multiple of 16.
  (func (export "multiply") (param $query i32) (param $row i32) (param $rows i32) (param $stride i32) (param $products i32)
    (local $factor i32) (local $end i32) (local $last i32) (local $sum v128) (local $bytes v128)
    (local.set $last (i32.add (local.get $products) (i32.shl (local.get $rows) (i32.const 2))))
    (loop $each_row
      (local.set $factor (local.get $query))
      (local.set $end (i32.add (local.get $row) (local.get $stride)))
      (local.set $sum (v128.const i32x4 0 0 0 0))
      (loop $sixteen
        (local.set $bytes (v128.load (local.get $row)))
        (local.set $sum (i32x4.add (local.get $sum)
          (i32x4.add
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $bytes)) (v128.load (local.get $factor)))
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $bytes)) (v128.load offset=16 (local.get $factor))))))
        (local.set $factor (i32.add (local.get $factor) (i32.const 32)))
        (br_if $sixteen (i32.ne (local.tee $row (i32.add (local.get $row) (i32.const 16))) (local.get $end))))
      (i32.store (local.get $products)
        (i32.add
          (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
          (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
      (br_if $each_row (i32.ne (local.tee $products (i32.add (local.get $products) (i32.const 4))) (local.get $last))))))
