import { preset } from '../../tsup.preset.ts';
import { emojiLater } from './emoji-later.ts';

export default preset(
  { index: 'src/index.ts', console: 'src/console-parts.ts', terminal: 'src/terminal.ts' },
  { esbuildPlugins: [emojiLater] },
);
