import { render } from 'preact';
import { App } from './app.tsx';
import { embeddedRun } from './run-source.ts';

const root = document.getElementById('app');
if (root !== null) {
  const source = embeddedRun(document);
  const draw = (printing = false) => render(<App source={source} printing={printing} />, root);
  root.replaceChildren();
  draw();
  // By now, the rest of the page has loaded.
  document.addEventListener('DOMContentLoaded', () => draw());
  // Renders all rows for printing. Not all browsers fire `beforeprint`: when a PDF is exported, possibly only the media
  // type changes.
  addEventListener('beforeprint', () => draw(true));
  addEventListener('afterprint', () => draw());
  matchMedia('print').addEventListener('change', ({ matches }) => draw(matches));
}
