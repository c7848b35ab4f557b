import { isObject } from '@agent-criteria/formats';
import { objectIn } from '../fields.ts';
import type { FileReferences } from './file-references.ts';

/** A prompt, whose text may have variables. */
export interface PromptTemplate {
  /** Names the prompt in ids of cases, and in the tests that are only for some prompts. */
  readonly label: string;
  readonly text: string;
}

/** The prompt that promptfoo uses for a config without prompts. */
const DEFAULT = '{{prompt}}';

/** Reads the prompts of a config: texts, or files in its folder. */
export async function readPrompts(
  written: unknown,
  files: FileReferences,
  lose: (what: string) => void,
): Promise<readonly PromptTemplate[]> {
  if (written === undefined) return [{ label: 'prompt 1', text: DEFAULT }];
  const all: PromptTemplate[] = [];
  const add = (text: string, label: string | undefined): void => {
    all.push({ label: label ?? `prompt ${all.length + 1}`, text });
  };
  for (const one of Array.isArray(written) ? written : [written]) {
    const { raw, id, label, prefix, suffix, config } = isObject(one) ? one : { raw: undefined, ...objectIn(undefined) };
    const text = typeof one === 'string' ? one : [raw, id].find((given): given is string => typeof given === 'string');
    const own = typeof label === 'string' && label !== '' ? label : undefined;
    if (text === undefined) {
      lose('prompts that are neither a text nor a file, left out');
      continue;
    }
    if (config !== undefined) lose('settings of models in prompts ("config"), left out');
    const around = (inner: string): string => `${textOrNone(prefix)}${inner}${textOrNone(suffix)}`;
    if (!isFile(text)) {
      add(around(text), own);
      continue;
    }
    const read = await files.text(text);
    if ('problem' in read) {
      lose(`prompts in another file, left out: ${read.problem}`);
      continue;
    }
    // A text file may hold several prompts.
    const texts = /\.txt$/i.test(text)
      ? read.value
          .split(/^---[ \t]*\r?$/m)
          .map((each) => each.trim())
          .filter(Boolean)
      : [read.value];
    for (const each of texts) add(around(each), texts.length === 1 ? own : undefined);
  }
  return all;
}

/** Whether a prompt names a file: with its scheme, or as a path in one line with the extension of a file of prompts. */
function isFile(text: string): boolean {
  return (
    /^[a-z]+:\/\/\S+$/.test(text) || /^[\w./\\-]+\.(?:txt|md|json|ya?ml|j2|csv|[cm]?[jt]s|py)(?::\w+)?$/i.test(text)
  );
}

function textOrNone(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
