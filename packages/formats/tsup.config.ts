import { inLayers, preset } from '../../tsup.preset.ts';

const entry = {
  index: 'src/index.ts',
  schema: 'src/schema.ts',
  'eval-set': 'src/eval-set.ts',
  parse: 'src/parse.ts',
  messages: 'src/messages.ts',
  migration: 'src/migration.ts',
};
// Entries that core's main entry loads come first.
const authors = ['src/index.ts', 'src/schema.ts', 'src/eval-set.ts'];
const applications = ['src/parse.ts', 'src/messages.ts', 'src/migration.ts'];

export default preset(entry, { esbuildPlugins: [inLayers(entry, authors, applications)] });
