import type { Gates } from '@agent-criteria/analysis';
import { didYouMean, type Problem } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';

/** The gates for a whole run, from `agent_criteria.gates` in an eval config. */
export interface GateRules {
  readonly gates: Gates;
  /** Whether the gates alone decide the exit code. */
  readonly decide: boolean;
  /** The baseline for gates that need one: a file relative to the config, a run, or `last`. */
  readonly baseline: string | undefined;
}

const NAMES = [
  'pass_rate',
  'means',
  'quantiles',
  'pass_hat_k',
  'flaky_share',
  'case_pass_rate',
  'cost',
  'regression',
  'no_worse_than',
  'decide',
  'baseline',
];
const PATH = '$.agent_criteria.gates';

/** Reads the gates in a config and lists every mistake in them. Keys may be in snake_case or camelCase. */
export function readGates(value: unknown): { readonly rules: GateRules; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const wrong = (path: string, message: string) => problems.push({ code: 'INVALID_CONFIG', path, message });
  const rules: { gates: { -readonly [K in keyof Gates]: Gates[K] }; decide: boolean; baseline: string | undefined } = {
    gates: {},
    decide: false,
    baseline: undefined,
  };
  if (!isObject(value)) {
    wrong(PATH, `must be an object with ${NAMES.join(', ')}`);
    return { rules, problems };
  }
  for (const [written, item] of Object.entries(value)) {
    const key = written.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const path = `${PATH}.${written}`;
    const { gates } = rules;
    const share = (set: (share: number) => void) => {
      if (isShare(item)) set(item);
      else wrong(path, 'must be a number from 0 to 1, such as 0.9 for 90%');
    };
    switch (key) {
      case 'pass_rate':
        share((least) => (gates.passRate = least));
        break;
      case 'flaky_share':
        share((most) => (gates.flakyShare = most));
        break;
      case 'case_pass_rate':
        if (isShare(item) && item > 0 && item < 1) gates.casePassRate = item;
        else wrong(path, 'must be a number between 0 and 1, such as 0.8 for 80%');
        break;
      case 'cost':
        if (isNumber(item) && item >= 0) gates.cost = item;
        else wrong(path, 'must be the most that a conversation may cost on average, such as 0.02');
        break;
      case 'means':
        if (isObject(item) && Object.values(item).every(isNumber)) gates.means = item as Record<string, number>;
        else wrong(path, 'must be an object with a number for each criterion, such as { "response_match_score": 0.7 }');
        break;
      case 'quantiles':
        if (isObject(item) && Object.values(item).every(isQuantile))
          gates.quantiles = item as NonNullable<Gates['quantiles']>;
        else {
          wrong(
            path,
            'must be an object with an entry for each criterion, such as { "invocation_duration_v1": { "q": 0.95, "limit": 8 } }',
          );
        }
        break;
      case 'pass_hat_k':
        if (isObject(item) && Number.isInteger(item.k) && (item.k as number) > 0 && isShare(item.rate)) {
          gates.passHatK = { k: item.k as number, rate: item.rate };
        } else wrong(path, 'must be { "k": REPEATS, "rate": SHARE }, such as { "k": 3, "rate": 0.8 }');
        break;
      case 'regression':
        if (typeof item === 'boolean' || (isShare(item) && item > 0)) gates.regression = item;
        else wrong(path, 'must be true, or the smallest change that counts, such as 0.05 for 5 points');
        break;
      case 'no_worse_than':
        if (isShare(item) && item > 0 && item < 1) gates.noWorseThan = item;
        else wrong(path, 'must be the fall of the pass rate that has to be ruled out, such as 0.05 for 5 points');
        break;
      case 'decide':
        if (typeof item === 'boolean') rules.decide = item;
        else wrong(path, 'must be true or false');
        break;
      case 'baseline':
        if (typeof item === 'string' && item !== '') rules.baseline = item;
        else wrong(path, 'must be a baseline file, a run, or "last"');
        break;
      default: {
        const hint = didYouMean(key, NAMES);
        wrong(path, `there is no gate "${written}"${hint === '' ? `; the gates are ${NAMES.join(', ')}` : hint}`);
      }
    }
  }
  return { rules, problems };
}

function isQuantile(value: unknown): boolean {
  return isObject(value) && isShare(value.q) && value.q > 0 && value.q < 1 && isNumber(value.limit);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isShare(value: unknown): value is number {
  return isNumber(value) && value >= 0 && value <= 1;
}
