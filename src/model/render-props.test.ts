import { describe, expect, test } from 'vitest';
import { renderProps, shownProps } from './render-props.js';

describe('properties as texts', () => {
  test('are shown as key and value, in their order', () => {
    const props = { role: 'Engineer', age: 30, langs: ['en'], home: null, '': 'x', __proto__x: 1 };
    expect(renderProps({ props: { ...props, _mark: true }, provenance: null })).toEqual([
      'role: Engineer',
      'age: 30',
      'langs: ["en"]',
      'home: null',
      ': x',
    ]);
  });

  test('are not shown if they are the key of the node, or begin with an underscore', () => {
    const node = { props: { email: 'a@b', age: 30, _stub: true }, provenance: { merge_keys: ['email'] } };
    expect(shownProps(node)).toEqual([{ key: 'age', text: 'age: 30' }]);
  });

  test('are not shown if they are vectors: long lists of numbers', () => {
    const numbers = (length: number) => new Array<number>(length).fill(0.5);
    const props = { short: numbers(3), long: numbers(33), words: new Array<string>(33).fill('x') };
    expect(shownProps({ props, provenance: null }).map(({ key }) => key)).toEqual(['short', 'words']);
  });
});
