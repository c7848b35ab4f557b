import { writeFileSync } from 'node:fs';
import { generatedFiles } from './generated-files.ts';

// Writes the files that are generated from models.ts: `npx -y pnpm@12.21.0 models`.

const folder = new URL('../', import.meta.url);
for (const [file, text] of Object.entries(generatedFiles())) writeFileSync(new URL(file, folder), text);
