import { isObject } from '@agent-criteria/formats';
import type { Fields } from '../fields.ts';
import { fillTemplate } from '../templates/fill-template.ts';
import type { FileReferences } from './file-references.ts';
import { varAt } from './var-at.ts';

/** Reads the variables of a test: an object, files of variables, or a mixture. */
export async function readVars(written: unknown, files: FileReferences, lose: (what: string) => void): Promise<Fields> {
  const all: [string, unknown][] = [];
  for (const one of Array.isArray(written) ? written : [written]) {
    if (typeof one !== 'string') {
      if (isObject(one)) all.push(...Object.entries(one));
      continue;
    }
    const read = await files.value(one);
    if ('problem' in read) lose(`variables in another file, left out: ${read.problem}`);
    else if (isObject(read.value)) all.push(...Object.entries(read.value));
    else lose('files of variables that hold no object, left out');
  }
  const loaded: [string, unknown][] = [];
  for (const [name, value] of all) loaded.push([name, await contentOf(value)]);
  return Object.fromEntries(loaded);

  /** Returns the content of the file that a variable names, or its value. */
  async function contentOf(value: unknown): Promise<unknown> {
    if (typeof value !== 'string' || !value.startsWith('file://')) return value;
    const isData = /\.(?:json|ya?ml)$/i.test(value);
    const read = isData ? await files.value(value) : await files.text(value);
    if ('value' in read) return read.value;
    lose(`variables in another file, left out: ${read.problem}`);
    return undefined;
  }
}

/** Fills variables in the values of others, once. */
export function filledVars(vars: Fields, lose: (what: string) => void): Fields {
  return Object.fromEntries(
    Object.entries(vars).map(([name, value]) => {
      if (typeof value !== 'string' || !value.includes('{')) return [name, value];
      const filled = fillTemplate(value, { lookUp: (path) => varAt(vars, path), hasLogic: true });
      if ('text' in filled && filled.missing.length === 0) return [name, filled.text];
      if ('problem' in filled && /\{[{%]/.test(value))
        lose('variables whose value has logic of Nunjucks, kept as they are');
      return [name, value];
    }),
  );
}
