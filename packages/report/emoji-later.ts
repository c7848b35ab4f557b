import { readFile } from 'node:fs/promises';
import type { Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/** Code in `string-width` that runs when the package is loaded, and a replacement that runs on first use. */
const LATER: readonly (readonly [atLoad: string, atFirstUse: string])[] = [
  [
    'const segmenter = new Intl.Segmenter();',
    'let made; const segmenter = { segment: (text) => (made ??= new Intl.Segmenter()).segment(text) };',
  ],
  [
    'const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;',
    `let compiled; const rgiEmojiRegex = {
      test: (text) => /(?![ -~])\\p{Emoji}|\\u20E3/u.test(text) && (compiled ??= /^\\p{RGI_Emoji}$/v).test(text),
    };`,
  ],
];

/**
 * Compiling the pattern for all emoji takes 50 ms, and creating a segmenter 10 ms. Every command would have to wait for
 * both, although few print an emoji.
 */
export const emojiLater: Plugin = {
  name: 'emoji-later',
  setup(build) {
    build.onLoad({ filter: /[\\/]string-width[\\/]index\.js$/ }, async ({ path }) => {
      let contents = await readFile(path, 'utf8');
      for (const [atLoad, atFirstUse] of LATER) {
        if (!contents.includes(atLoad)) throw new Error(`${path} does not say "${atLoad}", as string-width 8.3.0 did.`);
        contents = contents.replace(atLoad, () => atFirstUse);
      }
      return { contents };
    });
  },
};
