import { expect, test } from 'vitest';
import { surfaceOn } from '../helpers/surfaces.js';

test('the prompts that people can pick are the ones on record', async () => {
  const texts: Record<string, string> = {};
  for (const name of ['memory', 'workspace']) {
    const { prompts, tools } = await surfaceOn(name);
    expect(prompts.map((prompt) => prompt.name)).toEqual(['remember', 'recall', 'review', 'tidy']);
    for (const prompt of prompts) {
      texts[`${name}: ${prompt.title}. ${prompt.description}`] = prompt.text();
      const named = [...prompt.text().matchAll(/\b[a-z]+(?:_[a-z]+)+\b/g)].map(([word]) => word);
      const known = ['works_at', ...tools.map((tool) => tool.name)];
      expect(named.filter((word) => !known.includes(word))).toEqual([]);
    }
  }
  await expect(`${JSON.stringify(texts, null, 2)}\n`).toMatchFileSnapshot('./prompts.golden.json');
});
