import { CriteriaError } from './errors.ts';
import { didYouMean } from './schema/did-you-mean.ts';

/**
 * Refuses options that a function does not know: the compiler finds them only in TypeScript.
 *
 * @param known Every option of the function, so that a type can hold the list to its options.
 * @throws CriteriaError USAGE naming each, and the option that was probably meant.
 */
export function checkOptions(options: object, known: Readonly<Record<string, true>>): void {
  const names = Object.keys(known);
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(known, name));
  if (unknown.length === 0) return;
  throw new CriteriaError(
    unknown.map((name) => {
      const hint = didYouMean(name, names) || `; the options are ${names.join(', ')}`;
      return { code: 'USAGE', message: `unknown option "${name}"${hint}` };
    }),
  );
}
