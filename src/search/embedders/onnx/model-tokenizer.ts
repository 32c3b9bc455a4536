import { z } from 'zod';
import { reasonOf } from '../../../model/error.js';
import { embedderUnavailable } from '../embedder.js';
import { WordPiece } from '../word-piece.js';
import { type ModelFolder, unusable } from './model-folder.js';
import { loadOptional } from './optional-package.js';

/** The numbers of the pieces of a text, with the special ones that the model expects around them. */
export type ModelTokenizer = (text: string) => readonly number[];

/** The part of `@huggingface/tokenizers` that is used; the package is not a dependency. */
interface HuggingFaceTokenizers {
  readonly Tokenizer: new (
    tokenizer: unknown,
    config: unknown,
  ) => { encode(text: string, options: { add_special_tokens: boolean }): { readonly ids: number[] } };
}

const packageName = '@huggingface/tokenizers';

const id = z.number().int().nonnegative();
/** What our own tokenizer does exactly: uncased BERT. */
const bertShape = z.looseObject({
  normalizer: z.looseObject({
    type: z.literal('BertNormalizer'),
    clean_text: z.literal(true),
    handle_chinese_chars: z.literal(true),
    strip_accents: z.literal([null, true]),
    lowercase: z.literal(true),
  }),
  pre_tokenizer: z.looseObject({ type: z.literal('BertPreTokenizer') }),
  post_processor: z
    .looseObject({
      type: z.literal('TemplateProcessing'),
      single: z.array(
        z.union([
          z.object({ SpecialToken: z.looseObject({ id: z.string() }) }),
          z.object({ Sequence: z.looseObject({}) }),
        ]),
      ),
      special_tokens: z.record(z.string(), z.looseObject({ ids: z.array(id) })),
    })
    .nullable(),
  model: z.looseObject({
    type: z.literal('WordPiece'),
    unk_token: z.string(),
    continuing_subword_prefix: z.literal('##'),
    max_input_chars_per_word: z.literal(100),
    vocab: z.record(z.string(), id),
  }),
});

export function openTokenizer(folder: ModelFolder): ModelTokenizer {
  const bert = bertShape.safeParse(folder.tokenizer);
  return bert.success ? wordPieceTokenizer(folder, bert.data) : foreignTokenizer(folder);
}

function wordPieceTokenizer(
  folder: ModelFolder,
  { model, post_processor }: z.output<typeof bertShape>,
): ModelTokenizer {
  const unknown = model.vocab[model.unk_token];
  if (unknown === undefined) throw unusable(folder.name, `its vocabulary lacks ${model.unk_token}`);
  const pieces = new WordPiece(new Map(Object.entries(model.vocab)));
  const template = post_processor?.single ?? [];
  const at = template.findIndex((part) => 'Sequence' in part);
  const special = (parts: typeof template) =>
    parts.flatMap((part) =>
      'SpecialToken' in part ? (post_processor?.special_tokens[part.SpecialToken.id]?.ids ?? []) : [],
    );
  const frame = { before: special(template.slice(0, at)), after: special(template.slice(at + 1)) };
  return (text) =>
    framed(
      frame,
      pieces.encode(text).flatMap((word) => (word.length === 0 ? [unknown] : word)),
      folder.maxLength,
    );
}

function foreignTokenizer(folder: ModelFolder): ModelTokenizer {
  const tokenizers = loadOptional<HuggingFaceTokenizers>(packageName);
  if (tokenizers === undefined) {
    throw embedderUnavailable(
      `The tokenizer of the model ${folder.name} is not that of uncased BERT, so it needs the package ${packageName}, which is not installed.`,
      `Install it beside Trellis with: npm install ${packageName}`,
    );
  }
  try {
    const tokenizer = new tokenizers.Tokenizer(folder.tokenizer, folder.tokenizerConfig);
    const plain = (text: string) => tokenizer.encode(text, { add_special_tokens: false }).ids;
    const sample = plain('a');
    const whole = tokenizer.encode('a', { add_special_tokens: true }).ids;
    const at = whole.findIndex((_, start) => sample.every((piece, index) => whole[start + index] === piece));
    const frame = { before: whole.slice(0, at), after: whole.slice(at + sample.length) };
    return (text) => framed(frame, plain(text), folder.maxLength);
  } catch (error) {
    throw unusable(folder.name, `its tokenizer.json cannot be read: ${reasonOf(error)}`, error);
  }
}

function framed(
  { before, after }: { readonly before: readonly number[]; readonly after: readonly number[] },
  pieces: readonly number[],
  maxLength: number,
): number[] {
  const room = Math.max(0, maxLength - before.length - after.length);
  return [...before, ...pieces.slice(0, room), ...after];
}
