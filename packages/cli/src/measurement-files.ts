import { extname } from 'node:path';
import type { MeasuredFile } from '@agent-criteria/analysis';
import { writeWhole } from '@agent-criteria/project/files';
import { safe } from '@agent-criteria/report/terminal';
import { usage } from './arguments.ts';

export interface MeasurementFiles {
  write(contents: { readonly json: () => MeasuredFile; readonly markdown: () => string }): Promise<void>;
  /** The message to print once the files are written. */
  readonly text: string;
}

/** Chooses formats by file extension. @throws CriteriaError USAGE for an unknown extension. */
export function measurementFiles(files: readonly string[]): MeasurementFiles {
  const formats = files.map((file) => {
    const ending = extname(file).toLowerCase();
    if (ending === '.json' || ending === '.md') return { file, markdown: ending === '.md' };
    throw usage(`the extension of "${file}" must be .json (numbers to commit) or .md (Markdown)`);
  });
  return {
    async write({ json, markdown }) {
      for (const one of formats) {
        await writeWhole(one.file, one.markdown ? markdown() : `${JSON.stringify(json(), null, 2)}\n`);
      }
    },
    text: formats.length === 0 ? '' : `\n${files.map((file) => `Written: ${safe(file)}\n`).join('')}`,
  };
}
