import { LONGEST_TIMER, toMilliseconds } from '@agent-criteria/calls';
import { isObject } from '@agent-criteria/formats';
import { formatPath, validate } from '@agent-criteria/formats/schema';
import { mostRepeats } from './repeats-setting.ts';
import type { Setting } from './setting.ts';
import { LEAST_BARE, settingTypes } from './setting-type.ts';

/** The path and the message of a mistake. */
export type Mistake = readonly [path: string, message: string];

/** Validates the value of a setting against the schema of its type, and against rules that a schema cannot express. */
export function mistakesOf(setting: Setting, value: unknown, path: string): readonly Mistake[] {
  const { expected, schema, parts = [], inCode } = settingTypes[setting.type];
  const whole = (): Mistake => [path, `must be ${expected(setting)}, not ${shown(value)}`];
  if (schema === undefined) return typeof value === 'function' ? [] : [whole()];
  if (setting.type === 'duration' && Number.isInteger(value) && Number(value) > 0 && Number(value) < LEAST_BARE) {
    return [[path, `needs a unit: a bare number is in milliseconds; write "${value}s" or "${value}ms"`]];
  }
  if (isOutOfRange(setting, value)) return [whole()];
  const mistakes = new Map<string, Mistake>();
  for (const { path: inside, actual } of validate(inJson(value, inCode), schema(setting))) {
    const here = formatPath(inside, path);
    const message = parts[inside.length - 1]?.(shown(actual));
    mistakes.set(here, message === undefined ? whole() : [here, message]);
  }
  return [...mistakes.values()];
}

/** Converts a value to JSON: drops undefined keys, and replaces each part that only code can set with a name. */
function inJson(value: unknown, inCode: (part: unknown) => boolean = () => false): unknown {
  const part = (one: unknown): unknown => {
    if (inCode(one)) return 'set in code';
    return typeof one === 'number' && !Number.isFinite(one) ? String(one) : inJson(one);
  };
  if (Array.isArray(value)) return Array.from(value, part);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (one === undefined ? [] : [[key, part(one)]])),
  );
}

function isOutOfRange({ type, most = Number.MAX_SAFE_INTEGER }: Setting, value: unknown): boolean {
  if (type === 'duration' && typeof value === 'string') {
    const milliseconds = toMilliseconds(value);
    return !(milliseconds > 0 && milliseconds <= LONGEST_TIMER);
  }
  const count = type === 'repeats' ? (mostRepeats(value) ?? value) : value;
  return (
    typeof count === 'number' &&
    (!Number.isFinite(count) || (Number.isInteger(count) && type !== 'amount' && count > most))
  );
}

export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null || value === undefined)
    return String(value);
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`.replace('a object', 'an object');
}
