import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../artefacts/pack.ts';

/** Returns the code block on a guide page that contains these words. */
export function fromPage(page: string, language: string, words: string): string {
  return blockOf(join('docs', 'guide', page), language, words);
}

/** Returns the code block that contains these words on any page, given by its path in the repository. */
export function blockOf(page: string, language: string, words: string): string {
  const text = readFileSync(join(root, page), 'utf8');
  for (const [, found, body = ''] of text.matchAll(/^```(\w+)[^\n]*\n([\s\S]*?)^```$/gm)) {
    if (found === language && body.includes(words)) return body;
  }
  throw new Error(`${page} has no block of ${language} with ${JSON.stringify(words)}`);
}
