import { writeFileSync } from 'node:fs';
import { generatedFiles } from './generated-files.ts';

// Writes what is made from models.ts: `npx -y pnpm@12.21.0 models`.

const core = new URL('../', import.meta.url);
for (const [file, text] of Object.entries(generatedFiles())) writeFileSync(new URL(file, core), text);
