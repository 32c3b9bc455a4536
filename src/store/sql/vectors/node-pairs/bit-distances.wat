;; Finds rows of bits that differ from another row in few places. bit-distances.ts holds the result of
;; npx -p wabt wat2wasm bit-distances.wat && base64 -w0 bit-distances.wasm
;; The first 256 bits of all rows, their heads, lie together, and so do the others, their tails: most rows are excluded by
;; their heads, which fit into the processor's cache.
(module
  (import "" "memory" (memory 1))
  ;; Writes the number of each row, from $number to before $end, that differs in at most $first bits of its head and in at
  ;; most $most bits of all from the row $from, and returns where the next number would go.
  (func $scan (export "scan") (param $heads i32) (param $tails i32) (param $tail i32) (param $from i32) (param $number i32)
      (param $end i32) (param $first i32) (param $most i32) (param $found i32) (result i32)
    (local $a i64) (local $b i64) (local $c i64) (local $d i64) (local $bits i32) (local $row i32)
    (local $near i32)
    (local.set $near (local.get $found))
    (if (i32.ge_u (local.get $number) (local.get $end)) (then (return (local.get $found))))
    (local.set $row (i32.add (local.get $heads) (i32.shl (local.get $from) (i32.const 5))))
    (local.set $a (i64.load (local.get $row)))
    (local.set $b (i64.load offset=8 (local.get $row)))
    (local.set $c (i64.load offset=16 (local.get $row)))
    (local.set $d (i64.load offset=24 (local.get $row)))
    (local.set $row (i32.add (local.get $heads) (i32.shl (local.get $number) (i32.const 5))))
    (loop $each_row
      (local.set $bits (i32.wrap_i64 (i64.add
        (i64.add
          (i64.popcnt (i64.xor (local.get $a) (i64.load (local.get $row))))
          (i64.popcnt (i64.xor (local.get $b) (i64.load offset=8 (local.get $row)))))
        (i64.add
          (i64.popcnt (i64.xor (local.get $c) (i64.load offset=16 (local.get $row))))
          (i64.popcnt (i64.xor (local.get $d) (i64.load offset=24 (local.get $row))))))))
      ;; Without a branch, which would be wrong often: the next row overwrites the number of one that is not near.
      (i32.store (local.get $near) (local.get $number))
      (local.set $near (i32.add (local.get $near)
        (i32.shl (i32.le_u (local.get $bits) (local.get $first)) (i32.const 2))))
      (local.set $row (i32.add (local.get $row) (i32.const 32)))
      (br_if $each_row (i32.lt_u (local.tee $number (i32.add (local.get $number) (i32.const 1))) (local.get $end))))
    (call $keep_near (local.get $heads) (local.get $tails) (local.get $tail) (local.get $from) (local.get $found)
      (local.get $near) (local.get $most)))
  ;; Of the numbers from $at to before $end, keeps those of rows that differ in at most $most bits of all, and returns
  ;; where the next would go.
  (func $keep_near (param $heads i32) (param $tails i32) (param $tail i32) (param $from i32) (param $at i32)
      (param $end i32) (param $most i32) (result i32)
    (local $head i32) (local $own i32) (local $number i32) (local $bits i32) (local $kept i32)
    (local.set $kept (local.get $at))
    (local.set $head (i32.add (local.get $heads) (i32.shl (local.get $from) (i32.const 5))))
    (local.set $own (i32.add (local.get $tails) (i32.mul (local.get $from) (local.get $tail))))
    (block $done
      (loop $each_near
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $number (i32.load (local.get $at)))
        (local.set $bits (i32.add
          (call $differing (local.get $head)
            (i32.add (local.get $heads) (i32.shl (local.get $number) (i32.const 5))) (i32.const 32))
          (call $differing (local.get $own)
            (i32.add (local.get $tails) (i32.mul (local.get $number) (local.get $tail))) (local.get $tail))))
        (i32.store (local.get $kept) (local.get $number))
        (local.set $kept (i32.add (local.get $kept)
          (i32.shl (i32.le_u (local.get $bits) (local.get $most)) (i32.const 2))))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (br $each_near)))
    (local.get $kept))
  ;; The same for the rows of several cells: $cells holds the numbers of cells, and $starts the first row of each cell and
  ;; the one after its last.
  (func (export "scan_cells") (param $heads i32) (param $tails i32) (param $tail i32) (param $from i32) (param $cells i32)
      (param $end i32) (param $starts i32) (param $first i32) (param $most i32) (param $found i32) (result i32)
    (local $start i32)
    (loop $each_cell
      (local.set $start (i32.add (local.get $starts) (i32.shl (i32.load (local.get $cells)) (i32.const 2))))
      (local.set $found (call $scan (local.get $heads) (local.get $tails) (local.get $tail) (local.get $from)
        (i32.load (local.get $start)) (i32.load offset=4 (local.get $start)) (local.get $first) (local.get $most)
        (local.get $found)))
      (br_if $each_cell (i32.lt_u (local.tee $cells (i32.add (local.get $cells) (i32.const 4))) (local.get $end))))
    (local.get $found))
  ;; Writes in how many bits of its head each row differs from the head at $from.
  (func (export "distances") (param $from i32) (param $row i32) (param $rows i32) (param $found i32)
    (local $a i64) (local $b i64) (local $c i64) (local $d i64) (local $last i32)
    (local.set $last (i32.add (local.get $found) (i32.shl (local.get $rows) (i32.const 2))))
    (local.set $a (i64.load (local.get $from)))
    (local.set $b (i64.load offset=8 (local.get $from)))
    (local.set $c (i64.load offset=16 (local.get $from)))
    (local.set $d (i64.load offset=24 (local.get $from)))
    (loop $each_row
      (i32.store (local.get $found) (i32.wrap_i64 (i64.add
        (i64.add
          (i64.popcnt (i64.xor (local.get $a) (i64.load (local.get $row))))
          (i64.popcnt (i64.xor (local.get $b) (i64.load offset=8 (local.get $row)))))
        (i64.add
          (i64.popcnt (i64.xor (local.get $c) (i64.load offset=16 (local.get $row))))
          (i64.popcnt (i64.xor (local.get $d) (i64.load offset=24 (local.get $row))))))))
      (local.set $row (i32.add (local.get $row) (i32.const 32)))
      (br_if $each_row (i32.ne (local.tee $found (i32.add (local.get $found) (i32.const 4))) (local.get $last)))))
  (func $differing (param $one i32) (param $other i32) (param $bytes i32) (result i32)
    (local $bits i32) (local $end i32)
    (local.set $end (i32.add (local.get $one) (local.get $bytes)))
    (block $done
      (loop $each_word
        (br_if $done (i32.ge_u (local.get $one) (local.get $end)))
        (local.set $bits (i32.add (local.get $bits) (i32.wrap_i64 (i64.popcnt (i64.xor
          (i64.load (local.get $one)) (i64.load (local.get $other)))))))
        (local.set $one (i32.add (local.get $one) (i32.const 8)))
        (local.set $other (i32.add (local.get $other) (i32.const 8)))
        (br $each_word)))
    (local.get $bits)))
