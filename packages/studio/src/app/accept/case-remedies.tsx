import type { Remedies } from '@agent-criteria/viewer/run-views';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { RunContext } from '../run-context.ts';
import { complain } from '../toasts.tsx';
import { differences } from './accept-actual.ts';
import type { RemediesForm } from './remedies-form.tsx';

/** Offers remedies for a case that did not go as expected. They edit its eval set, which the command reads too. */
export function CaseRemedies({ one, set, repeat }: Remedies) {
  const { places } = useContext(RunContext);
  const place = places.find(({ runSet }) => runSet === set?.id);
  const went = one.inferences.find(({ key }) => key.repeat === repeat)?.inference;
  // Avoids requests when there is nothing to accept.
  const isOtherwise = useMemo(
    () =>
      one.result.verdict === 'failed' || (went !== undefined && differences(one.evalCase, went.invocations).length > 0),
    [one, went],
  );
  const isOffered = isOtherwise && set !== undefined && place !== undefined && one.variant === undefined;
  const [Form, setForm] = useState<typeof RemediesForm | null>(null);
  useEffect(() => {
    // Most cases that are looked at went as expected, so it is loaded only for the others.
    if (isOffered) import('./remedies-form.tsx').then((loaded) => setForm(() => loaded.RemediesForm), complain);
  }, [isOffered]);
  if (!isOffered) return null;
  if (Form === null) return <div class="remedies-space" />;
  return <Form key={`${place.app}/${place.set}`} one={one} set={set} place={place} repeat={repeat} />;
}
