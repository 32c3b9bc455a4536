// @ts-check
// A model of a few hundred bytes in the form of a sentence-transformer: a word is one of four directions, unknown ones a fifth.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Words that point the same way mean the same to this model. */
const directions = [
  ['[PAD]', '[UNK]'],
  ['dog', 'puppy'],
  ['bank', 'loan'],
  ['tea', 'coffee'],
  ['what', 'this', 'is', 'about', ':'],
];
const words = directions.flat();

/** @param {string} folder @param {string} [input] The name of its second input, which it does not read. */
export async function writeTinyModel(folder, input = 'attention_mask') {
  await mkdir(join(folder, 'onnx'), { recursive: true });
  const json = (/** @type {string} */ name, /** @type {object} */ value) =>
    writeFile(join(folder, name), JSON.stringify(value));
  await json('config.json', {
    model_type: 'bert',
    architectures: ['BertModel'],
    hidden_size: directions.length,
    vocab_size: words.length,
  });
  await json('tokenizer_config.json', {
    tokenizer_class: 'BertTokenizer',
    do_lower_case: true,
    unk_token: '[UNK]',
    pad_token: '[PAD]',
    model_max_length: 64,
  });
  await json('tokenizer.json', {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: ['[PAD]', '[UNK]'].map((content, id) => ({
      id,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: null,
    decoder: null,
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(words.map((word, id) => [word, id])),
    },
  });
  await writeFile(join(folder, 'onnx', 'model.onnx'), onnx(input));
}

/** The graph `last_hidden_state = table[input_ids]`, as ONNX writes it down. */
function onnx(/** @type {string} */ input) {
  const size = directions.length;
  const table = Float32Array.from(
    words.flatMap((word) => directions.map((same) => (same.includes(word) ? 1 : 0))),
  );
  const tensor = message(
    packed(1, [words.length, size]),
    number(2, 1),
    text(8, 'table'),
    bytes(9, Buffer.from(table.buffer)),
  );
  const node = message(
    text(1, 'table'),
    text(1, 'input_ids'),
    text(2, 'last_hidden_state'),
    text(4, 'Gather'),
  );
  const graph = message(
    bytes(1, node),
    text(2, 'tiny'),
    bytes(5, tensor),
    bytes(11, value('input_ids', 7, ['batch', 'length'])),
    bytes(11, value(input, 7, ['batch', 'length'])),
    bytes(12, value('last_hidden_state', 1, ['batch', 'length', size])),
  );
  return message(number(1, 8), text(2, 'trellis'), bytes(7, graph), bytes(8, message(number(2, 13))));
}

/** @param {string} name @param {number} type @param {(string | number)[]} shape */
function value(name, type, shape) {
  const dimensions = shape.map((one) =>
    bytes(1, typeof one === 'number' ? message(number(1, one)) : message(text(2, one))),
  );
  return message(
    text(1, name),
    bytes(2, message(bytes(1, message(number(1, type), bytes(2, message(...dimensions)))))),
  );
}

/** @param {...Buffer} fields */
function message(...fields) {
  return Buffer.concat(fields);
}

/** @param {number} field @param {number} content */
function number(field, content) {
  return Buffer.concat([varint(field * 8), varint(content)]);
}

/** @param {number} field @param {string} content */
function text(field, content) {
  return bytes(field, Buffer.from(content));
}

/** @param {number} field @param {number[]} content */
function packed(field, content) {
  return bytes(field, Buffer.concat(content.map(varint)));
}

/** @param {number} field @param {Buffer} content */
function bytes(field, content) {
  return Buffer.concat([varint(field * 8 + 2), varint(content.length), content]);
}

/** @param {number} content */
function varint(content) {
  const out = [];
  for (let rest = content; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...out, rest]);
    out.push((rest % 128) + 128);
  }
}
