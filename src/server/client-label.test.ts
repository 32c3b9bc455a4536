import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commitLimits } from '../model/limits.js';
import { textProblem } from '../model/text.js';
import { clientInSession, clientLabel, sessionIdFor } from './client-label.js';

test.each([
  [{ name: 'claude-code', version: '2.1.0' }, 'claude-code/2.1.0'],
  [{ name: ' Zed ', version: '' }, 'Zed'],
  [{ name: 'a\u0000b\u001b[31m\u202e\n', version: '1\r\n2' }, 'ab[31m/12'],
  [{ name: '\ud800', version: '1' }, '\ufffd/1'],
  [{ name: '\u200b\u0007', version: '1' }, undefined],
  [{ name: 7, version: {} }, undefined],
  [{}, undefined],
  [null, undefined],
  ['claude', undefined],
])('a client that says %j is %j', (info, label) => {
  expect(clientLabel(info)).toBe(label);
});

test('whatever a client says, its label is short and can be stored, and a session id brings it back', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.constant('x '.repeat(5_000)),
  );
  fc.assert(
    fc.property(text, text, fc.boolean(), (name, version, showsApps) => {
      const label = clientLabel({ name, version });
      if (label === undefined) return;
      expect(label.length).toBeLessThanOrEqual(2 * commitLimits.clientLength + 1);
      expect(textProblem(label)).toBeUndefined();
      expect(label).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      const session = sessionIdFor({ name, version }, showsApps);
      expect(session).toMatch(/^[\x21-\x7e]+$/);
      expect(clientInSession(session)).toEqual({ client: label, showsApps });
    }),
  );
});

test.each([null, '', 'x', `${crypto.randomUUID()}.`, `${crypto.randomUUID()}.${'A'.repeat(5_000)}`])(
  'a session id of another server (%#) says nothing',
  (id) => {
    expect(clientInSession(id)).toEqual({});
  },
);
