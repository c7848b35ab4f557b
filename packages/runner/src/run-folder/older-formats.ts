/** Names that keys had in runs of format 1. */
const CRITERION_KEYS: Readonly<Record<string, string>> = { gates: 'decides' };
const CALL_KEYS: Readonly<Record<string, string>> = { by: 'caller', to: 'target' };

/** A criterion of a scoring's plan under today's names, with its keys in the same order. */
export function withTodaysCriterionKeys(criterion: object): object {
  return renamed(criterion, CRITERION_KEYS);
}

/** A line of `calls.jsonl` under today's names: a run that was begun in format 1 may have lines of both. */
export function withTodaysCallKeys(call: object): object {
  return renamed(call, CALL_KEYS);
}

function renamed(value: object, names: Readonly<Record<string, string>>): object {
  if (!Object.keys(names).some((old) => Object.hasOwn(value, old))) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [names[key] ?? key, inner]));
}
