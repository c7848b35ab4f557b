import { rouge1, rouge2, rougeL, stem, tokenize } from '../../../packages/criteria-rouge/src/rouge.ts';
import { type Driver, driver } from '../driver.ts';

// ROUGE and its words, equal to the last bit. Modes do not apply to them.

interface Pair {
  readonly candidate: string;
  readonly reference: string;
  readonly use_stemmer: boolean;
  readonly precision: number;
  readonly recall: number;
  readonly fmeasure: number;
}

function pairDriver(name: string, rouge: typeof rouge1, tokenizer: 'unicode' | 'ascii'): Driver {
  return driver<Pair>(`${name}.public.jsonl`, null, ({ candidate, reference, use_stemmer, ...row }) => {
    const options = use_stemmer ? { tokenizer } : { tokenizer, stem: false as const };
    const found = rouge(candidate, reference, options);
    return {
      adk: [row.precision, row.recall, row.fmeasure],
      ours: [found.precision, found.recall, found.fmeasure],
    };
  });
}

interface Tokens {
  readonly text: string;
  readonly tokens_stemmed: readonly string[];
  readonly tokens_unstemmed: readonly string[];
}

export const rougeDrivers: readonly Driver[] = [
  pairDriver('rouge1', rouge1, 'unicode'),
  pairDriver('rouge2', rouge2, 'unicode'),
  pairDriver('rougeL', rougeL, 'unicode'),
  pairDriver('rouge1-default-tokenizer', rouge1, 'ascii'),
  driver<Tokens>('rouge-tokens.public.jsonl', null, ({ text, tokens_stemmed, tokens_unstemmed }) => ({
    adk: [tokens_stemmed, tokens_unstemmed],
    ours: [tokenize(text), tokenize(text, { stem: false })],
  })),
  driver<{ readonly word: string; readonly stem: string }>('stems.public.json', null, (row) => ({
    adk: row.stem,
    ours: stem(row.word),
  })),
];
