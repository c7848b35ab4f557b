import { counted } from '@agent-criteria/core/host';
import { strengthOf } from '../agreement-strength.ts';
import { isMeasured, type JudgeDifference, type JudgeStatus } from '../judge-status.ts';
import type { MeasuredAgreement } from '../measured.ts';
import { kindName } from './agreement.ts';
import { intervalText, percentText, plainText } from './numbers.ts';

/**
 * Lists remarks on a run's judges. Judges without a measurement share one line, and a remark on several variants is
 * listed once. Empty if no criterion is judged, or there is nothing to remark on.
 *
 * @param variants The judges of the run, or of each of its variants.
 * @param name Escapes names of criteria, models and prompts.
 */
export function judgeLines(
  variants: readonly (readonly JudgeStatus[])[],
  name: (text: string) => string,
): readonly string[] {
  const all = variants.flat();
  const never = [...new Set(all.filter(isNew).map(({ criterion }) => name(criterion)))];
  const judges = never.length === 1 ? 'the judge of' : 'the judges of';
  const neverLine = `${judges} ${listed(never)} ${never.length === 1 ? 'was' : 'were'} never measured: see agent-criteria calibrate`;
  return [...new Set([...(never.length === 0 ? [] : [neverLine]), ...all.flatMap((one) => linesOf(one, name))])];
}

/**
 * Returns a warning that a gate depends on judges that were not measured or hardly agree with people, or `null` if all
 * are usable.
 */
export function unmeasuredText(statuses: readonly JudgeStatus[]): string | null {
  if (statuses.some(isNew)) return 'rests on a judge that was never measured: see agent-criteria calibrate';
  const differs = statuses.find((one) => one.differs !== null)?.differs ?? null;
  if (differs !== null) return `rests on a judge that was ${differenceText(differs, (text) => text)}`;
  if (statuses.some(({ agreement }) => agreement.length === 0)) {
    return 'rests on a judge whose agreement with people was never measured: see agent-criteria calibrate';
  }
  const strengths = new Set(statuses.flatMap(({ agreement }) => agreement.map(strengthOf)));
  if (strengths.has('none')) return 'rests on a judge without useful agreement with people';
  if (strengths.has(null)) return 'rests on a judge with too few labels to say whether it agrees with people';
  return strengths.has('slight') ? 'rests on a judge that agrees with people only slightly' : null;
}

/** Whether the judge was never measured, not even with other settings. */
export function isNew(one: JudgeStatus): boolean {
  return !isMeasured(one) && one.differs === null;
}

function linesOf(one: JudgeStatus, name: (text: string) => string): readonly string[] {
  const { criterion, agreement, differs, nearThreshold: near } = one;
  const judge = `the judge of ${name(criterion)}`;
  if (differs !== null) return [`${judge} was ${differenceText(differs, name)}: measure it again`];
  if (!isMeasured(one)) return [];
  return [
    ...(agreement.length === 0
      ? [`how far ${judge} agrees with people was never measured: see agent-criteria calibrate`]
      : agreement.flatMap((entry) => strengthLine(entry, name))),
    ...(near === null || near.cases === 0
      ? []
      : [
          `${near.cases} of ${counted(near.of, 'case')} ${near.cases === 1 ? 'scores' : 'score'} within ${plainText(near.margin)} of the threshold ${plainText(near.threshold)}, which is within the noise of ${judge}: judged again, ${near.cases === 1 ? 'it' : 'they'} could get another verdict`,
        ]),
  ];
}

/** Describes weak agreement. Empty if the judge is usable. */
function strengthLine(entry: MeasuredAgreement, name: (text: string) => string): readonly string[] {
  const { criterion, rubric, cases, kappa, ac1, agreement, majority, beyondChance } = entry;
  const strength = strengthOf(entry);
  if (strength === 'usable') return [];
  const ends =
    kappa.low === null || kappa.high === null
      ? null
      : intervalText({ low: kappa.low, high: kappa.high }, { min: -1, max: 1 });
  const value = kappa.value === null ? '' : `kappa ${plainText(kappa.value)}${ends === null ? '' : `, ${ends}`}; `;
  const of = kindName({ criterion: name(criterion), rubric: rubric === null ? null : name(rubric) });
  const judge = `the judge of ${of}${rubric === null ? '' : ','}`;
  const labels = counted(cases, 'labelled case');
  if (strength === 'slight') {
    const always =
      majority == null || agreement.value === null || agreement.value > majority.share
        ? ''
        : `; "${majority.verdict}" for everything would agree as often`;
    return [`${judge} agrees with people only slightly (${value}${labels}${always})`];
  }
  // A judge may beat chance and still reject nearly everything that people accept, or the reverse.
  if (beyondChance === true && ac1.value !== null && agreement.value !== null) {
    return [
      `${judge} agrees with people on only ${percentText(agreement.value)}, less often than two who decide at random (AC1 ${plainText(ac1.value)}; ${labels})`,
    ];
  }
  return [`${judge} has not been shown to agree with people more than chance would (${value}${labels})`];
}

/** Describes the difference: `measured with a-model; this run used another`. */
function differenceText({ what, measured, used }: JudgeDifference, name: (text: string) => string): string {
  if (what === 'options') return 'measured with different options of the criterion';
  const shown = (names: readonly string[]) => (names.length === 0 ? `an unknown ${what}` : listed(names.map(name)));
  const noun = what === 'prompt' && measured.length > 0 ? 'the prompt ' : '';
  return `measured with ${noun}${shown(measured)}; this run used ${shown(used)}`;
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
