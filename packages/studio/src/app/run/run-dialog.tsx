import { count, visible } from '@agent-criteria/viewer/views';
import type { CriterionChoice } from '../../api.ts';
import { Button } from '../button.tsx';
import { FormErrors } from '../form-errors.ts';
import { SetPath, View } from '../view.tsx';
import { CriterionForm } from './criterion-form.tsx';
import { lastChoice } from './last-choice.ts';
import { RunEstimated } from './run-estimate.tsx';
import { ConfigConflict, HowFields, PresetField, ScopeField, SimulatorFields } from './run-fields.tsx';
import { type RunDialogRoute, type RunDraft, useRunDraft } from './use-run-draft.ts';

/** Offers the choices to make before a run. */
export function RunDialog({ route }: { readonly route: RunDialogRoute }) {
  const { app, set, cases } = route;
  const draft = useRunDraft(route);
  const { choices, estimate, problem, theirs } = draft;
  return (
    <View title={`Run ${visible(set)}`} above={<SetPath app={app} set={set} />}>
      {choices === null && problem === undefined && <p class="note">Reading the criteria…</p>}
      {choices !== null && (
        <FormErrors.Provider value={draft.report}>
          <form
            class="run-form"
            onSubmit={(event) => {
              event.preventDefault();
              void draft.start();
            }}
          >
            <div>
              <ScopeField draft={draft} choices={choices} chosen={cases.length} />
              <fieldset>
                <legend>Criteria</legend>
                <PresetField draft={draft} choices={choices} hasLast={lastChoice(app, set) !== null} />
                <Criteria draft={draft} />
              </fieldset>
              {draft.isLed && <SimulatorFields draft={draft} choices={choices} />}
            </div>
            <div class="run-side">
              <HowFields app={app} choices={choices} draft={draft} />
              <section class="estimate" aria-label="Estimate" aria-live="polite">
                {problem !== undefined && <p class="problem">{problem}</p>}
                {problem === undefined && estimate === null && <p class="note">Estimating…</p>}
                {estimate !== null && <RunEstimated estimate={estimate} />}
              </section>
              {theirs !== null && <ConfigConflict draft={draft} theirs={theirs} />}
              <div class="buttons">
                <Button text="Reset" onClick={() => draft.take(choices)} />
                <Button
                  text="Save for this set"
                  disabled={!draft.canSave}
                  onClick={() => void draft.save(choices.version)}
                />
                <button type="submit" class="main" disabled={!draft.canStart}>
                  {draft.busy ? 'Starting…' : 'Run'}
                </button>
              </div>
              <p class="note">
                “Save for this set” writes criteria and simulated user to <code>test_config.json</code> beside it, which
                holds for every set of that folder.
              </p>
              {choices.notes.map((note) => (
                <p key={note} class="note">
                  {note}
                </p>
              ))}
            </div>
          </form>
        </FormErrors.Provider>
      )}
      {choices === null && problem !== undefined && <p class="problem">{problem}</p>}
    </View>
  );
}

function Criteria({ draft }: { readonly draft: RunDraft }) {
  const { choices, chosen, needs, isLed, ready, lacking, misfits, change } = draft;
  const forms = (list: readonly CriterionChoice[]) =>
    list.map((one) => (
      <CriterionForm
        key={one.name}
        one={one}
        choice={chosen.criteria.get(one.name)}
        needs={needs?.criteria[one.name]}
        without={isLed ? ['stopSignal'] : []}
        change={(next) => change(one.name, next)}
        total={choices?.cases ?? 0}
      />
    ));
  return (
    <>
      {forms(ready)}
      {lacking.length > 0 && (
        <details class="misfits">
          <summary>
            {count(
              lacking.reduce((sum, { criteria }) => sum + criteria.length, 0),
              'criterion',
              'criteria',
            )}{' '}
            that cannot run here yet
          </summary>
          {lacking.map(({ problem: lack, criteria }) => (
            <section key={lack} aria-label={lack}>
              <p class="lack" dir="auto">
                {lack}
              </p>
              {forms(criteria)}
            </section>
          ))}
        </details>
      )}
      {misfits.length > 0 && (
        <details class="misfits">
          <summary>{count(misfits.length, 'criterion', 'criteria')} that no case of this set fits</summary>
          {forms(misfits)}
        </details>
      )}
    </>
  );
}
