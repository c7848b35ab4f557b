import type { RunOutcomes } from '../run-outcomes.ts';
import { casePassRateGate } from './case-pass-rate-gate.ts';
import { flakyGate } from './flaky-gate.ts';
import type { Against, Baseline, Finding, GateContext, Gates } from './gate.ts';
import { costGate, meanGate, passRateGate } from './mean-gates.ts';
import { noWorseThanGate } from './no-worse-than-gate.ts';
import { passHatKGate } from './pass-hat-k-gate.ts';
import { quantileGate } from './quantile-gate.ts';
import { regressionGate } from './regression-gate.ts';

/** One kind of gate: its name, what it depends on, and the function that decides it. */
interface GateKind<Limit> {
  /** The gate's name in a config. */
  readonly name: string;
  /**
   * - `verdicts`: counts passes, and cannot tell if no criterion decides.
   * - `criterion`: limits the scores of the criterion at the end of its name.
   * - `baseline`: compares the run with a baseline, and does not apply without one.
   * - `cost`: limits the cost of the agent's calls.
   */
  readonly restsOn: 'verdicts' | 'criterion' | 'baseline' | 'cost';
  /** Whether its number is biased if passes and failures decide when a case stops. `case_pass_rate` allows for that. */
  readonly movedByStopping: boolean;
  readonly find: (run: RunOutcomes, limit: Limit, context: Against) => Finding;
}

/** The limit of one gate. Gates on means and quantiles apply to one criterion each. */
type LimitOf<Key extends keyof Gates> = Key extends 'means' | 'quantiles'
  ? readonly [criterion: string, limit: NonNullable<Gates[Key]>[string]]
  : NonNullable<Gates[Key]>;

/** All gates, in the order of their evaluation. */
const gateKinds: { readonly [Key in keyof Gates]-?: GateKind<LimitOf<Key>> } = {
  passRate: { name: 'pass_rate', restsOn: 'verdicts', movedByStopping: true, find: passRateGate },
  means: { name: 'means', restsOn: 'criterion', movedByStopping: true, find: meanGate },
  quantiles: { name: 'quantiles', restsOn: 'criterion', movedByStopping: true, find: quantileGate },
  passHatK: { name: 'pass_hat_k', restsOn: 'verdicts', movedByStopping: true, find: passHatKGate },
  flakyShare: { name: 'flaky_share', restsOn: 'verdicts', movedByStopping: true, find: flakyGate },
  casePassRate: { name: 'case_pass_rate', restsOn: 'verdicts', movedByStopping: false, find: casePassRateGate },
  cost: { name: 'cost', restsOn: 'cost', movedByStopping: true, find: costGate },
  regression: { name: 'regression', restsOn: 'baseline', movedByStopping: false, find: regressionGate },
  noWorseThan: { name: 'no_worse_than', restsOn: 'baseline', movedByStopping: true, find: noWorseThanGate },
};

/** A gate that applies to a run. */
export interface AskedGate extends Pick<GateKind<never>, 'restsOn' | 'movedByStopping'> {
  /** The gate's name in a config: `pass_rate`, `means.response_match_score`. */
  readonly name: string;
  /** The criterion at the end of its name, or `null` if there is none. */
  readonly criterion: string | null;
  /** A config with this gate alone. */
  readonly gates: Gates;
  find(run: RunOutcomes, context: GateContext): Finding;
}

/**
 * Lists the gates that apply, in the order of their evaluation. Gates that need a baseline do not apply without one.
 */
export function askedGates(gates: Gates, baseline: Baseline): readonly AskedGate[] {
  return configuredGates(gates).filter(({ restsOn }) => restsOn !== 'baseline' || baseline !== null);
}

/** Lists the gates in a config, in the order of their evaluation. */
function configuredGates(gates: Gates): readonly AskedGate[] {
  return (Object.entries(gateKinds) as [keyof Gates, GateKind<unknown>][]).flatMap(([key, kind]) => {
    const asked = gates[key];
    const { name, restsOn, movedByStopping } = kind;
    if (asked === undefined || asked === false) return [];
    const gate = (own: Pick<AskedGate, 'name' | 'criterion' | 'gates'>, limit: unknown): AskedGate => ({
      ...own,
      restsOn,
      movedByStopping,
      // Only gates that need a baseline read it, and they do not apply without one.
      find: (run, context) => kind.find(run, limit, context as Against),
    });
    if (restsOn !== 'criterion') return [gate({ name, criterion: null, gates: { [key]: asked } }, asked)];
    return Object.entries(asked).map(([criterion, limit]) =>
      gate({ name: `${name}.${criterion}`, criterion, gates: { [key]: { [criterion]: limit } } }, [criterion, limit]),
    );
  });
}

/** Lists the names of the gates that `gateResults` evaluates, in the same order. */
export function gateNames(gates: Gates, baseline: Baseline): readonly string[] {
  return askedGates(gates, baseline).map(({ name }) => name);
}

/** Lists the names of the gates whose numbers are biased if passes and failures decide when a case stops. */
export function gatesMovedByStopping(gates: Gates): readonly string[] {
  return configuredGates(gates).flatMap(({ name, movedByStopping }) => (movedByStopping ? [name] : []));
}
