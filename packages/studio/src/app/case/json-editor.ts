import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, foldGutter, foldKeymap, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';

export interface JsonEditor {
  /** Replaces the text if it differs. */
  show(text: string): void;
  /** Marks the position given in an error message. */
  mark(problem: string | null): void;
  close(): void;
}

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--informational)' },
  { tag: tags.string, color: 'var(--ink)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--accent)' },
]);

const look = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'var(--paper)', fontSize: '13px', maxHeight: '70vh' },
  '.cm-content': { caretColor: 'var(--ink)', fontFamily: 'var(--mono)' },
  '.cm-gutters': { color: 'var(--soft-ink)', backgroundColor: 'var(--sheet)', border: '0' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-scroller': { overflow: 'auto', fontFamily: 'var(--mono)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground, ::selection': {
    backgroundColor: 'var(--added-sheet) !important',
  },
  '.cm-tooltip': { color: 'var(--ink)', backgroundColor: 'var(--paper)', border: '1px solid var(--line)' },
});

/**
 * Creates a JSON editor in an element. The editor uses a shadow tree, which adopts its styles as objects; in the page
 * itself they would be inline styles, which the content security policy forbids.
 */
export function openJsonEditor(
  host: HTMLElement,
  text: string,
  readOnly: boolean,
  change: (text: string) => void,
): JsonEditor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  root.replaceChildren();
  let telling = true;
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        foldGutter(),
        history(),
        bracketMatching(),
        json(),
        lintGutter(),
        syntaxHighlighting(colours),
        look,
        EditorView.lineWrapping,
        EditorState.readOnly.of(readOnly),
        EditorView.contentAttributes.of({ 'aria-label': 'The case as JSON', tabindex: '0' }),
        keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap, indentWithTab]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && telling) change(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    show(next) {
      if (next === view.state.doc.toString()) return;
      telling = false;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
      telling = true;
    },
    mark(problem) {
      const { doc } = view.state;
      const [, row, column] = /line (\d+)(?:, column (\d+))?/.exec(problem ?? '') ?? [];
      const line = doc.line(Math.min(Math.max(Number(row ?? 1), 1), doc.lines));
      const from = Math.min(line.from + Math.max(Number(column ?? 1) - 1, 0), line.to);
      const to = column === undefined ? line.to : Math.min(from + 1, line.to);
      const diagnostics = problem === null ? [] : [{ from, to, severity: 'error' as const, message: problem }];
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    close: () => view.destroy(),
  };
}
