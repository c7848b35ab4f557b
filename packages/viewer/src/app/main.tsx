import { render } from 'preact';
import { App } from './app.tsx';
import { embeddedRun } from './run-source.ts';

const root = document.getElementById('app');
if (root !== null) {
  const source = embeddedRun(document);
  const draw = (printing = false) => render(<App source={source} printing={printing} />, root);
  root.replaceChildren();
  draw();
  // What is missing may have come.
  document.addEventListener('DOMContentLoaded', () => draw());
  // On paper there is nothing to scroll: every row is drawn. Not every browser says before, and what prints to a file
  // may only change the medium.
  addEventListener('beforeprint', () => draw(true));
  addEventListener('afterprint', () => draw());
  matchMedia('print').addEventListener('change', ({ matches }) => draw(matches));
}
