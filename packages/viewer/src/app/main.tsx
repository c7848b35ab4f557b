import { render } from 'preact';
import { App } from './app.tsx';
import { embeddedRun } from './run-source.ts';

const root = document.getElementById('app');
if (root !== null) {
  const source = embeddedRun(document);
  const draw = (printing = false) => render(<App source={source} printing={printing} />, root);
  root.replaceChildren();
  draw();
  // More of the page may have been loaded.
  document.addEventListener('DOMContentLoaded', () => draw());
  // Prints every row. Not all browsers fire `beforeprint`; PDF export may only change the medium.
  addEventListener('beforeprint', () => draw(true));
  addEventListener('afterprint', () => draw());
  matchMedia('print').addEventListener('change', ({ matches }) => draw(matches));
}
