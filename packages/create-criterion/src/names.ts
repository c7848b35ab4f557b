import { isBuiltin } from 'node:module';

/** One name in the spellings that a package needs. */
export interface Names {
  /** As given: `@me/criteria-tone-of-voice`. */
  readonly package: string;
  /** Without the scope: `criteria-tone-of-voice`. */
  readonly folder: string;
  /** The criterion in its file's name: `tone-of-voice`. */
  readonly kebab: string;
  /** The criterion in eval configs: `tone_of_voice`. */
  readonly snake: string;
  /** The criterion in code: `toneOfVoiceScore`. The ending keeps it apart from reserved words and from imports. */
  readonly identifier: string;
}

const scope = /^@[a-z0-9][a-z0-9._-]*$/;
const words = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
/** npm's limit. */
const maxLength = 214;

/** Reads the name of a package, or returns a sentence on what is wrong with it. */
export function readName(name: string): Names | string {
  const parts = name.split('/');
  const folder = parts.at(-1) ?? '';
  if (parts.length > 2 || (parts.length === 2 && !scope.test(parts[0] ?? '')) || !words.test(folder)) {
    return `"${name}" is not a name: use lower-case words joined by hyphens, such as criteria-tone, or @me/criteria-tone with a scope.`;
  }
  if (name.length > maxLength) return `The name has ${name.length} characters: npm allows ${maxLength}.`;
  if (isBuiltin(folder))
    return `"${folder}" is a Node.js module, and npm refuses a package with that name. Choose another.`;
  const kebab = folder.replace(/(^|-)criteria-/, '$1');
  if (kebab === 'index' || kebab === 'pure') {
    return `"${kebab}" is the name of a file that every criterion package has. Choose another.`;
  }
  const camel = kebab.replace(/-([a-z0-9])/g, (_hyphen, letter: string) => letter.toUpperCase());
  return {
    package: name,
    folder,
    kebab,
    snake: kebab.replaceAll('-', '_'),
    identifier: camel.endsWith('Score') ? camel : `${camel}Score`,
  };
}
