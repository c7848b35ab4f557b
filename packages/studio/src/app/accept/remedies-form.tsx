import type { EvalCase, Invocation } from '@agent-criteria/core';
import type { RunSet } from '@agent-criteria/results';
import type { Remedies } from '@agent-criteria/viewer/run-views';
import { JsonChanges, visible } from '@agent-criteria/viewer/views';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import type { CaseVersion, RunSetPlace } from '../../api.ts';
import { ask, isLostUpdate, messageOf } from '../api-client.ts';
import { Button } from '../button.tsx';
import { same } from '../case/merge-values.ts';
import { Dialog } from '../dialog.tsx';
import { RunContext } from '../run-context.ts';
import { loadSets } from '../store.ts';
import { complain, notify } from '../toasts.tsx';
import { acceptActual, type Difference, differences, FIELDS, type Field } from './accept-actual.ts';
import { AcceptDialog } from './accept-dialog.tsx';
import { suggestedOptions, withOptions } from './suggested-options.ts';

/** A change that was rejected because the case was saved elsewhere. */
interface Conflict {
  readonly theirs: CaseVersion;
  change(before: EvalCase): EvalCase;
  readonly done: string;
}

const NO_TURNS: readonly Invocation[] = [];

/** Edits the eval set of a case, which the command reads too. */
export function RemediesForm(props: {
  readonly one: Remedies['one'];
  readonly set: RunSet;
  readonly place: RunSetPlace;
  readonly repeat: number;
}) {
  const { one, set, place, repeat } = props;
  const { caseId } = one.result;
  const [loaded, setVersion] = useState<CaseVersion | null>(null);
  const [converted, setActual] = useState<readonly Invocation[] | null>(null);
  const [problem, setProblem] = useState<string>();
  const [wanted, setWanted] = useState<readonly Field[] | null>(null);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const [saving, setBusy] = useState(false);
  const busy = saving || loaded === null || converted === null;
  const recorded = one.inferences.find(({ key }) => key.repeat === repeat)?.inference;
  const ending = recorded?.ending.by;
  // A failed repeat must not become the expectation.
  const isUsable = ending !== undefined && ending !== 'error' && ending !== 'abort';
  // Known parts are shown at once, so that nothing moves when the case and the conversation arrive.
  const version = useMemo(() => loaded ?? { evalCase: one.evalCase, version: '' }, [loaded, one]);
  const actual = converted ?? (isUsable ? recorded?.invocations : undefined) ?? NO_TURNS;
  const own = { app: place.app, set: place.set, case: caseId };
  const { run } = useContext(RunContext);

  useEffect(() => {
    ask('GET /apps/:app/sets/:set/cases/:case', own).then(setVersion, () =>
      setProblem(`The eval set has no case “${visible(caseId)}” any more.`),
    );
  }, [place.app, place.set, caseId]);
  useEffect(() => {
    setActual(isUsable ? null : []);
    if (!isUsable) return;
    const request = { run, set: one.setId, case: caseId, query: { repeat } };
    ask('GET /runs/:run/view/:set/:case/reference', request).then(setActual, (error) => {
      setActual([]);
      complain(error);
    });
  }, [run, repeat, one]);

  const differing = useMemo(
    () => (version === null || actual === null ? [] : differences(version.evalCase, actual)),
    [version, actual],
  );
  const suggestions = useMemo(
    () =>
      suggestedOptions(one.result, repeat).filter(
        (each) => !same(withOptions(version.evalCase, each), version.evalCase),
      ),
    [version, one, repeat],
  );
  if (problem !== undefined) return <p class="note">{problem}</p>;
  const isEdited = !same(version.evalCase, one.evalCase);

  const undo = async (before: EvalCase, saved: string) => {
    try {
      setVersion(await ask('PUT /apps/:app/sets/:set/cases/:case', { ...own, body: before, seen: saved }));
      notify(`“${visible(caseId)}” expects again what it did.`);
    } catch (error) {
      complain(isLostUpdate(error) ? 'Somebody else has changed the case since: nothing was undone.' : error);
    }
  };
  const save = async (seen: CaseVersion, change: (before: EvalCase) => EvalCase, done: string) => {
    setBusy(true);
    try {
      const next = await ask('PUT /apps/:app/sets/:set/cases/:case', {
        ...own,
        body: change(seen.evalCase),
        seen: seen.version,
      });
      setVersion(next);
      setConflict(null);
      setWanted(null);
      notify(done, { name: 'Undo', run: () => void undo(seen.evalCase, next.version) });
      void loadSets(place.app);
    } catch (error) {
      if (isLostUpdate<EvalCase>(error)) {
        setWanted(null);
        setConflict({ theirs: { evalCase: error.body.theirs, version: error.body.version }, change, done });
      } else complain(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  const accept = (accepted: readonly Difference[]) =>
    void save(
      version,
      (before) => acceptActual(before, actual, accepted),
      `“${visible(caseId)}” now expects what the agent did.`,
    );
  const fields = FIELDS.filter((field) => differing.some((each) => each.field === field));
  if (suggestions.length === 0 && fields.length === 0 && !isEdited) return null;
  return (
    <section class="remedies" aria-label="What can be done">
      {suggestions.map((each) => (
        <p key={each.criterion}>
          <span>
            {each.why} <code>{visible(JSON.stringify(each.options))}</code>
          </span>
          <Button
            text={'matchers' in each.options ? 'Add the suggested matcher' : 'Accept that order'}
            disabled={busy}
            title={`Writes these options of ${visible(each.criterion)} into the case`}
            onClick={() =>
              void save(
                version,
                (before) => withOptions(before, each),
                `${visible(each.criterion)} of “${visible(caseId)}” now accepts that.`,
              )
            }
          />
        </p>
      ))}
      {fields.length > 0 && (
        <p>
          <span>Is what it did right? Expect it from now on:</span>
          {fields.map((field) => (
            <Button
              text={field === 'answer' ? 'Accept the answer…' : 'Accept the calls…'}
              key={field}
              disabled={busy}
              onClick={() => setWanted([field])}
            />
          ))}
          {fields.length > 1 && <Button text="Accept both…" disabled={busy} onClick={() => setWanted(FIELDS)} />}
        </p>
      )}
      {isEdited && (
        <p>
          <span>This case has been edited since the run: run it again to see the effect.</span>
        </p>
      )}
      {wanted !== null && (
        <AcceptDialog
          evalCase={version.evalCase}
          actual={actual}
          differing={differing}
          wanted={wanted}
          busy={busy}
          file={set.file ?? place.set}
          close={() => setWanted(null)}
          accept={accept}
        />
      )}
      {conflict !== null && (
        <Dialog title="Somebody else has saved this case meanwhile" wide close={() => setConflict(null)}>
          <p>Nothing of yours was saved. This is their version, and what your change would make of it:</p>
          <JsonChanges
            before={conflict.theirs.evalCase}
            after={conflict.change(conflict.theirs.evalCase)}
            name="case"
          />
          <div class="buttons">
            <Button
              text="Leave theirs as it is"
              onClick={() => {
                setVersion(conflict.theirs);
                setConflict(null);
              }}
            />
            <Button
              text="Change theirs"
              class="main"
              disabled={busy}
              onClick={() => void save(conflict.theirs, conflict.change, conflict.done)}
            />
          </div>
        </Dialog>
      )}
    </section>
  );
}
