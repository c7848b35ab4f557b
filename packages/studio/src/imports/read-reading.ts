import type { ImportReading } from '../api.ts';
import { mistake } from '../http/refusal.ts';

const MOST = 100;

/** Reads the options of an import from a request. @throws A 422 refusal. */
export function readReading(field: (name: keyof ImportReading) => unknown): ImportReading {
  const texts = (name: keyof ImportReading): readonly string[] | undefined => {
    const value = field(name) ?? undefined;
    if (value === undefined) return undefined;
    if (Array.isArray(value) && value.length <= MOST && value.every((one) => typeof one === 'string')) return value;
    throw mistake(['body', name], `This must be a list of at most ${MOST} texts.`, 'list_type');
  };
  const text = (name: keyof ImportReading) => optionalText(field, name);
  const flag = (name: keyof ImportReading): boolean | undefined => {
    const value = field(name) ?? undefined;
    if (value === undefined || typeof value === 'boolean') return value;
    throw mistake(['body', name], 'This must be true or false.', 'bool_type');
  };
  const sample = field('sample') ?? undefined;
  if (sample !== undefined && !(typeof sample === 'number' && Number.isSafeInteger(sample) && sample > 0)) {
    throw mistake(['body', 'sample'], 'This must be a whole number above 0.', 'int_type');
  }
  return {
    as: text('as'),
    columns: texts('columns'),
    where: texts('where'),
    grep: texts('grep'),
    unique: flag('unique'),
    sample,
    seed: text('seed'),
    passes: texts('passes'),
    stop: text('stop'),
    skipInvalid: flag('skipInvalid'),
  };
}

/** Reads a text that may be left out. An empty one is left out, too. @throws A 422 refusal. */
export function optionalText<Name extends string>(field: (name: Name) => unknown, name: Name): string | undefined {
  const value = field(name) ?? undefined;
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'string') return value;
  throw mistake(['body', name], 'This must be a text.', 'string_type');
}
