import { writeFileSync } from 'node:fs';
import { editorSchemas } from './editor-schemas.ts';

// Writes the JSON Schemas for editors: `npx -y pnpm@12.21.0 models`.

const root = new URL('../', import.meta.url);
for (const [file, text] of Object.entries(editorSchemas())) writeFileSync(new URL(file, root), text);
