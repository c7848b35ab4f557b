import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../artefacts/pack.ts';

/** The block of a guide page that has these words in it, for whoever copies from the guide. */
export function fromPage(page: string, language: string, words: string): string {
  const text = readFileSync(join(root, 'docs', 'guide', page), 'utf8');
  for (const [, found, body = ''] of text.matchAll(/^```(\w+)[^\n]*\n([\s\S]*?)^```$/gm)) {
    if (found === language && body.includes(words)) return body;
  }
  throw new Error(`docs/guide/${page} has no block of ${language} with ${JSON.stringify(words)}`);
}
