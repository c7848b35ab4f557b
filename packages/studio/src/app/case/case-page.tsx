import { visible } from '@agent-criteria/viewer/views';
import { useState } from 'preact/hooks';
import { Notes, Problem } from '../answer.tsx';
import { Button } from '../button.tsx';
import { FormErrors } from '../form-errors.ts';
import { useStudioKeys } from '../keys.ts';
import { formatRoute } from '../route.ts';
import { go } from '../router.ts';
import { setsOf } from '../store.ts';
import { SetPath, View } from '../view.tsx';
import { CaseForm } from './case-form.tsx';
import { CaseConflict } from './conflict.tsx';
import { JsonPane } from './json-pane.tsx';
import { type CaseRoute, useCaseDraft } from './use-case-draft.ts';

/** Shows a case as a form and as JSON, two views of the same draft. */
export function CasePage({ route }: { readonly route: CaseRoute }) {
  const { app, set, id, pane } = route;
  const editing = useCaseDraft(route);
  const { at, summary, editable, saved, draft, theirs } = editing;
  return (
    <View title={visible(id)} above={<SetPath app={app} set={set} name={summary?.name ?? set} />}>
      {!editable && setsOf(app) !== undefined && (
        <p class="note">This set can be shown and run, but not edited here.</p>
      )}
      <Notes notes={summary?.notes} />
      <Problem text={editing.problem} />
      {editing.isGone && (
        <section class="banner error conflict" role="alert">
          <p>
            <b>This case was deleted or renamed elsewhere.</b> What you edited is still here.
          </p>
          <div class="buttons">
            <Button text="Add it to the set again" class="main" onClick={() => void editing.addAgain()} />
          </div>
        </section>
      )}
      {theirs !== null && draft !== null && saved !== null && (
        <CaseConflict
          base={saved.evalCase}
          theirs={theirs.evalCase}
          mine={draft.value}
          takeTheirs={() => editing.take(theirs, draft)}
          save={(value) => void editing.save(value, theirs.version)}
        />
      )}
      {draft !== null && (
        <>
          <div class="editor-bar">
            <nav class="tabs panes" aria-label="How it is edited">
              {(['form', 'json'] as const).map((one) => (
                <a
                  key={one}
                  href={formatRoute({ ...route, pane: one })}
                  aria-current={pane === one ? 'page' : undefined}
                >
                  {one === 'form' ? 'Form' : 'JSON'}
                </a>
              ))}
            </nav>
            <span class="note" role="status">
              {editing.state}
            </span>
            <div class="view-actions">
              <Button text="Undo" disabled={draft.before.length === 0} onClick={editing.undo} />
              <RunCase route={route} editing={editing} />
              <Button text="Delete" class="danger" disabled={!editable} onClick={() => void editing.remove()} />
              <Button
                text="Save"
                class="main"
                disabled={!editing.isReady}
                onClick={() => void editing.save(draft.value, saved?.version)}
              />
            </div>
          </div>
          {pane === 'json' ? (
            <JsonPane
              key={at}
              value={draft.value}
              readOnly={!editable}
              setError={editing.setTextError}
              change={(value) => editing.change('json', value)}
            />
          ) : (
            <FormErrors.Provider value={editing.report}>
              <fieldset class="case-form" disabled={!editable}>
                <legend class="unseen">The case</legend>
                <CaseForm key={at} value={draft.value} app={app} change={editing.change} />
              </fieldset>
            </FormErrors.Provider>
          )}
        </>
      )}
    </View>
  );
}

/** Leads to the run of a case, and saves its edits first. Edits that cannot be saved do not run, and the link says so. */
function RunCase(props: { readonly route: CaseRoute; readonly editing: ReturnType<typeof useCaseDraft> }) {
  const { route, editing } = props;
  const { app, set, id } = route;
  const { draft, saved } = editing;
  const [busy, setBusy] = useState(false);
  const dialog = (one: string) => ({ view: 'run-dialog', app, set, cases: [one] }) as const;
  const saveAndRun = async () => {
    if (draft === null || busy) return;
    setBusy(true);
    const kept = await editing.save(draft.value, saved?.version);
    setBusy(false);
    if (kept !== null) go(dialog(kept));
  };
  const run = () => (editing.isReady ? void saveAndRun() : go(dialog(id)));
  useStudioKeys({ r: run });
  if (editing.isReady) return <Button text="Save and run…" disabled={busy} onClick={run} />;
  return (
    <a class="quiet-link" href={formatRoute(dialog(id))}>
      {editing.isChanged ? 'Run the saved case…' : 'Run…'}
    </a>
  );
}
