import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { goldenRows } from './__fixtures__/golden-rows.ts';
import { type RougeScore, rouge1, rouge2, rougeL, stem, type Tokenizer, tokenize } from './rouge.ts';

// Every row of the golden files, to the last bit.

interface PairRow extends RougeScore {
  readonly id: string;
  readonly candidate: string;
  readonly reference: string;
  readonly use_stemmer: boolean;
}

test.each([
  { file: 'rouge1', count: 851, rouge: rouge1, tokenizer: 'unicode' },
  { file: 'rouge2', count: 192, rouge: rouge2, tokenizer: 'unicode' },
  { file: 'rougeL', count: 192, rouge: rougeL, tokenizer: 'unicode' },
  { file: 'rouge1-default-tokenizer', count: 540, rouge: rouge1, tokenizer: 'ascii' },
] as const)('$file', ({ file, count, rouge, tokenizer }) => {
  const rows = goldenRows<PairRow>(file);
  expect(rows.length).toBe(count);
  const differing = rows.filter((row) => {
    const options = { tokenizer: tokenizer satisfies Tokenizer, ...(row.use_stemmer ? {} : { stem: false as const }) };
    const found = rouge(row.candidate, row.reference, options);
    return found.precision !== row.precision || found.recall !== row.recall || found.fmeasure !== row.fmeasure;
  });
  expect(differing).toEqual([]);
});

test('rouge-tokens', () => {
  const rows = goldenRows<{ text: string; tokens_stemmed: string[]; tokens_unstemmed: string[] }>('rouge-tokens');
  expect(rows.length).toBe(702);
  for (const row of rows) {
    expect(tokenize(row.text)).toEqual(row.tokens_stemmed);
    expect(tokenize(row.text, { stem: false })).toEqual(row.tokens_unstemmed);
  }
});

test('stems', () => {
  const file = new URL('./__fixtures__/stems.public.json', import.meta.url);
  const stems = Object.entries<string>(JSON.parse(readFileSync(file, 'utf8')));
  expect(stems.length).toBe(8930);
  expect(stems.filter(([word, expected]) => stem(word) !== expected)).toEqual([]);
});
