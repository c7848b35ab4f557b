import { isBuiltin } from 'node:module';

/** A name in all the spellings that a package needs. */
export interface Names {
  /** The name as given: `@me/criteria-tone-of-voice`. */
  readonly package: string;
  /** The name without the scope: `criteria-tone-of-voice`. */
  readonly folder: string;
  /** The criterion's name in file names: `tone-of-voice`. */
  readonly kebab: string;
  /** The criterion's name in eval configs: `tone_of_voice`. */
  readonly snake: string;
  /** The criterion's name in code: `toneOfVoiceScore`. The suffix avoids clashes with reserved words and imports. */
  readonly identifier: string;
}

const scope = /^@[a-z0-9][a-z0-9._-]*$/;
const words = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
/** npm's limit on the length of a name. */
const maxLength = 214;

/** Parses a package name, or returns a sentence that explains why it is invalid. */
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
