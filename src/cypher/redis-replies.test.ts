import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RedisReplies, type RedisReply, RedisReplyError } from './redis-replies.js';

function encode(reply: RedisReply): string {
  if (reply === null) return '$-1\r\n';
  if (typeof reply === 'number') return `:${reply}\r\n`;
  if (typeof reply === 'string') return `$${Buffer.byteLength(reply)}\r\n${reply}\r\n`;
  if (reply instanceof RedisReplyError) return `-${reply.message}\r\n`;
  return `*${reply.length}\r\n${reply.map(encode).join('')}`;
}

const { reply } = fc.letrec<{ reply: RedisReply }>((tie) => ({
  reply: fc.oneof(
    { maxDepth: 3 },
    fc.string({ unit: 'binary' }),
    fc.integer(),
    fc.constant(null),
    fc.array(tie('reply'), { maxLength: 4 }),
  ),
}));

test('replies are the same however their bytes are cut', () => {
  fc.assert(
    fc.property(fc.array(reply, { maxLength: 5 }), fc.array(fc.nat(50), { minLength: 1 }), (sent, cuts) => {
      const got: RedisReply[] = [];
      const replies = new RedisReplies((one) => got.push(one));
      const bytes = Buffer.from(sent.map(encode).join(''));
      for (let at = 0, cut = 0; at < bytes.length; cut += 1) {
        const length = 1 + (cuts[cut % cuts.length] ?? 0);
        replies.push(bytes.subarray(at, at + length));
        at += length;
      }
      expect(got).toEqual(sent);
    }),
  );
});

test('an error is an error, and a long reply arrives whole', () => {
  const got: RedisReply[] = [];
  const replies = new RedisReplies((one) => got.push(one));
  const long = 'é'.repeat(100_000);
  const bytes = Buffer.from(`-ERR no\r\n${encode(long)}+OK\r\n`);
  for (let at = 0; at < bytes.length; at += 1_000) replies.push(bytes.subarray(at, at + 1_000));
  expect(got[0]).toEqual(new RedisReplyError('ERR no'));
  expect(got[1] === long).toBe(true);
  expect(got.slice(2)).toEqual(['OK']);
});
