import { type Judged, type Judgement, type Kind, kindOf } from './judgements.ts';

/** A kind of item that people can label. */
export interface LabelKind extends Kind {
  /** The number of items with a verdict. */
  readonly things: number;
  /** Whether a judge gives the verdict. */
  readonly judged: boolean;
}

/** Returns the kind to label for a criterion or a rubric: single answers if the criterion scores individual turns. */
export function kindToLabel(judgements: readonly Judgement[], criterion: string | null, rubric: string | null): Kind {
  const isOfTurns = judgements.some((one) => one.criterion === criterion && one.rubric === rubric && one.turn !== null);
  return { criterion, rubric, unit: isOfTurns ? 'turn' : 'conversation' };
}

/** Lists the items of a kind that have a verdict, in the order of the run. */
export function thingsToLabel({ judgements }: Pick<Judged, 'judgements'>, kind: Kind): readonly Judgement[] {
  return judgements.filter((one) => {
    const own = kindOf(one);
    return (
      one.passed !== null && own.criterion === kind.criterion && own.rubric === kind.rubric && own.unit === kind.unit
    );
  });
}

/** Lists the kinds that can be labelled: first judged rubrics and criteria, then unjudged ones, then whole cases. */
export function labelKinds({ judgements, instruments }: Judged): readonly LabelKind[] {
  const found = new Map<string, LabelKind>();
  for (const one of judgements) {
    if (one.passed === null) continue;
    const kind = kindOf(one);
    const key = JSON.stringify(kind);
    const judged = instruments.some(({ criterion, judges }) => criterion === kind.criterion && judges.length > 0);
    found.set(key, { ...kind, judged, things: (found.get(key)?.things ?? 0) + 1 });
  }
  const ofTurns = (kind: LabelKind) => found.has(JSON.stringify({ ...bare(kind), unit: 'turn' }));
  const rank = ({ criterion, rubric, judged }: LabelKind) =>
    (criterion === null ? 4 : judged ? 0 : 2) + (rubric === null ? 1 : 0);
  return [...found.values()].filter((kind) => kind.unit === 'turn' || !ofTurns(kind)).sort((a, b) => rank(a) - rank(b));
}

function bare({ criterion, rubric }: Kind): Pick<Kind, 'criterion' | 'rubric'> {
  return { criterion, rubric };
}
