import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { generatedFiles } from './generated-files.ts';

// Writes what is made from src/data/zod-models.ts: `node packages/core/scripts/write-schemas.ts`.

const core = new URL('../', import.meta.url);
const paths = Object.entries(generatedFiles()).map(([file, content]) => {
  const path = fileURLToPath(new URL(file, core));
  writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`);
  return path;
});
execFileSync(fileURLToPath(new URL('../../node_modules/.bin/biome', core)), ['format', '--write', ...paths], {
  stdio: 'inherit',
});
