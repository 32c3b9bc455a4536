;; Turns vectors into bits. write-bits.ts holds the result of
;; npx -p wabt wat2wasm write-bits.wat && base64 -w0 write-bits.wasm
(module
  (import "" "memory" (memory 1))
  ;; write-bits.ts says what the parameters are. Each part of the memory is a multiple of 16 bytes.
  (func (export "write") (param $vector i32) (param $sources i32) (param $added i32) (param $mixed i32) (param $size i32)
      (param $bits i32) (param $end i32)
    (local $mixed_end i32)
    (local.set $mixed_end (i32.add (local.get $mixed) (i32.shl (local.get $size) (i32.const 2))))
    (call $write_opposite (local.get $vector))
    (loop $each_round
      (call $gather (local.get $sources) (local.get $added) (local.get $mixed) (local.get $mixed_end))
      (call $mix (local.get $mixed) (local.get $mixed_end))
      (local.set $bits (call $write_signs (local.get $mixed) (local.get $mixed_end) (local.get $bits) (local.get $end)))
      (local.set $sources (i32.add (local.get $sources)
        (i32.mul (local.get $added) (i32.sub (local.get $mixed_end) (local.get $mixed)))))
      (br_if $each_round (i32.lt_u (local.get $bits) (local.get $end)))))
  (func $write_opposite (param $vector i32)
    (local $at i32)
    (loop $each_four
      (v128.store (i32.add (local.get $at) (local.get $vector)) (f32x4.neg (v128.load (local.get $at))))
      (br_if $each_four (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $vector)))))
  ;; Adds up the sources of sixteen numbers at a time, turns each number and its neighbour, and does the first four steps of
  ;; mixing. Until they are stored, a list has every fourth number, so that neighbours are in different lists.
  (func $gather (param $sources i32) (param $added i32) (param $at i32) (param $end i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $e v128) (local $f v128) (local $g v128) (local $h v128)
    (local $source i32) (local $left i32) (local $bytes i32)
    (local.set $bytes (i32.sub (local.get $end) (local.get $at)))
    (loop $each_sixteen
      (local.set $source (local.get $sources))
      (local.set $left (local.get $added))
      ;; Sums that begin with 0 are no negative zeros.
      (local.set $a (v128.const f32x4 0 0 0 0))
      (local.set $b (local.get $a))
      (local.set $c (local.get $a))
      (local.set $d (local.get $a))
      (loop $each_source
        (local.set $a (f32x4.add (local.get $a)
          (v128.load32_lane 3 (i32.load offset=48 (local.get $source))
          (v128.load32_lane 2 (i32.load offset=32 (local.get $source))
          (v128.load32_lane 1 (i32.load offset=16 (local.get $source))
          (v128.load32_zero (i32.load (local.get $source))))))))
        (local.set $b (f32x4.add (local.get $b)
          (v128.load32_lane 3 (i32.load offset=52 (local.get $source))
          (v128.load32_lane 2 (i32.load offset=36 (local.get $source))
          (v128.load32_lane 1 (i32.load offset=20 (local.get $source))
          (v128.load32_zero (i32.load offset=4 (local.get $source))))))))
        (local.set $c (f32x4.add (local.get $c)
          (v128.load32_lane 3 (i32.load offset=56 (local.get $source))
          (v128.load32_lane 2 (i32.load offset=40 (local.get $source))
          (v128.load32_lane 1 (i32.load offset=24 (local.get $source))
          (v128.load32_zero (i32.load offset=8 (local.get $source))))))))
        (local.set $d (f32x4.add (local.get $d)
          (v128.load32_lane 3 (i32.load offset=60 (local.get $source))
          (v128.load32_lane 2 (i32.load offset=44 (local.get $source))
          (v128.load32_lane 1 (i32.load offset=28 (local.get $source))
          (v128.load32_zero (i32.load offset=12 (local.get $source))))))))
        (local.set $source (i32.add (local.get $source) (local.get $bytes)))
        (br_if $each_source (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))
      ;; write-bits.ts says why.
      (local.set $e (f32x4.add (local.get $a)
        (f32x4.mul (v128.const f32x4 0.577 0.577 0.577 0.577) (local.get $b))))
      (local.set $f (f32x4.sub
        (f32x4.mul (v128.const f32x4 0.577 0.577 0.577 0.577) (local.get $a)) (local.get $b)))
      (local.set $g (f32x4.add (local.get $c)
        (f32x4.mul (v128.const f32x4 0.577 0.577 0.577 0.577) (local.get $d))))
      (local.set $h (f32x4.sub
        (f32x4.mul (v128.const f32x4 0.577 0.577 0.577 0.577) (local.get $c)) (local.get $d)))
      ;; Numbers at a distance of 1.
      (local.set $a (f32x4.add (local.get $e) (local.get $f)))
      (local.set $b (f32x4.sub (local.get $e) (local.get $f)))
      (local.set $c (f32x4.add (local.get $g) (local.get $h)))
      (local.set $d (f32x4.sub (local.get $g) (local.get $h)))
      ;; Of 2.
      (local.set $e (f32x4.add (local.get $a) (local.get $c)))
      (local.set $f (f32x4.add (local.get $b) (local.get $d)))
      (local.set $g (f32x4.sub (local.get $a) (local.get $c)))
      (local.set $h (f32x4.sub (local.get $b) (local.get $d)))
      ;; Each list becomes four numbers that follow each other.
      (local.set $a (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $e) (local.get $f)))
      (local.set $b (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $e) (local.get $f)))
      (local.set $c (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $g) (local.get $h)))
      (local.set $d (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $g) (local.get $h)))
      (local.set $e (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $a) (local.get $c)))
      (local.set $f (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $a) (local.get $c)))
      (local.set $g (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $b) (local.get $d)))
      (local.set $h (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $b) (local.get $d)))
      ;; Of 4.
      (local.set $a (f32x4.add (local.get $e) (local.get $f)))
      (local.set $b (f32x4.sub (local.get $e) (local.get $f)))
      (local.set $c (f32x4.add (local.get $g) (local.get $h)))
      (local.set $d (f32x4.sub (local.get $g) (local.get $h)))
      ;; Of 8.
      (v128.store (local.get $at) (f32x4.add (local.get $a) (local.get $c)))
      (v128.store offset=16 (local.get $at) (f32x4.add (local.get $b) (local.get $d)))
      (v128.store offset=32 (local.get $at) (f32x4.sub (local.get $a) (local.get $c)))
      (v128.store offset=48 (local.get $at) (f32x4.sub (local.get $b) (local.get $d)))
      (local.set $sources (i32.add (local.get $sources) (i32.const 64)))
      (br_if $each_sixteen (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 64))) (local.get $end)))))
  ;; The other steps, two at once, which takes half as many passes.
  (func $mix (param $from i32) (param $end i32)
    (local $step i32) (local $first i32) (local $second i32) (local $third i32) (local $fourth i32) (local $last i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $e v128) (local $f v128) (local $g v128) (local $h v128)
    (local $bytes i32)
    (local.set $bytes (i32.sub (local.get $end) (local.get $from)))
    (local.set $step (i32.const 64))
    (block $pairs_done
      (loop $each_pair_of_steps
        (br_if $pairs_done (i32.gt_u (i32.shl (local.get $step) (i32.const 2)) (local.get $bytes)))
        (local.set $first (local.get $from))
        (loop $each_start
          (local.set $second (i32.add (local.get $first) (local.get $step)))
          (local.set $third (i32.add (local.get $second) (local.get $step)))
          (local.set $fourth (i32.add (local.get $third) (local.get $step)))
          (local.set $last (local.get $second))
          (loop $each_four
            (local.set $a (v128.load (local.get $first)))
            (local.set $b (v128.load (local.get $second)))
            (local.set $c (v128.load (local.get $third)))
            (local.set $d (v128.load (local.get $fourth)))
            (local.set $e (f32x4.add (local.get $a) (local.get $b)))
            (local.set $f (f32x4.sub (local.get $a) (local.get $b)))
            (local.set $g (f32x4.add (local.get $c) (local.get $d)))
            (local.set $h (f32x4.sub (local.get $c) (local.get $d)))
            (v128.store (local.get $first) (f32x4.add (local.get $e) (local.get $g)))
            (v128.store (local.get $second) (f32x4.add (local.get $f) (local.get $h)))
            (v128.store (local.get $third) (f32x4.sub (local.get $e) (local.get $g)))
            (v128.store (local.get $fourth) (f32x4.sub (local.get $f) (local.get $h)))
            (local.set $second (i32.add (local.get $second) (i32.const 16)))
            (local.set $third (i32.add (local.get $third) (i32.const 16)))
            (local.set $fourth (i32.add (local.get $fourth) (i32.const 16)))
            (br_if $each_four (i32.lt_u
              (local.tee $first (i32.add (local.get $first) (i32.const 16))) (local.get $last))))
          (br_if $each_start (i32.lt_u (local.tee $first (local.get $fourth)) (local.get $end))))
        (local.set $step (i32.shl (local.get $step) (i32.const 2)))
        (br $each_pair_of_steps)))
    (if (i32.eq (local.get $step) (local.get $bytes)) (then (return)))
    (local.set $second (i32.add (local.get $from) (local.get $step)))
    (loop $each_four
      (local.set $a (v128.load (local.get $from)))
      (local.set $b (v128.load (local.get $second)))
      (v128.store (local.get $from) (f32x4.add (local.get $a) (local.get $b)))
      (v128.store (local.get $second) (f32x4.sub (local.get $a) (local.get $b)))
      (local.set $from (i32.add (local.get $from) (i32.const 16)))
      (br_if $each_four (i32.lt_u
        (local.tee $second (i32.add (local.get $second) (i32.const 16))) (local.get $end)))))
  ;; A bit for each number, 1 if it is below 0, until there are no more numbers or no more bits wanted. Returns where the next
  ;; would go. Numbers are compared, since the sign of what is not a number depends on the processor.
  (func $write_signs (param $at i32) (param $end i32) (param $bits i32) (param $bits_end i32) (result i32)
    (local $zero v128)
    (loop $each_sixteen
      (i32.store16 (local.get $bits) (i8x16.bitmask (i8x16.narrow_i16x8_s
        (i16x8.narrow_i32x4_s
          (f32x4.lt (v128.load (local.get $at)) (local.get $zero))
          (f32x4.lt (v128.load offset=16 (local.get $at)) (local.get $zero)))
        (i16x8.narrow_i32x4_s
          (f32x4.lt (v128.load offset=32 (local.get $at)) (local.get $zero))
          (f32x4.lt (v128.load offset=48 (local.get $at)) (local.get $zero))))))
      (local.set $bits (i32.add (local.get $bits) (i32.const 2)))
      (br_if $each_sixteen (i32.and
        (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 64))) (local.get $end))
        (i32.lt_u (local.get $bits) (local.get $bits_end)))))
    (local.get $bits)))
