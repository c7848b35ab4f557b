import { render } from 'preact';
import { COMPARISON_ID, type ComparedPage } from '../compared-runs.ts';
import { LICENCES_ID } from '../page-data.ts';
import { ComparedApp } from './compared-app.tsx';

const root = document.getElementById('app');
if (root !== null) {
  const read = (id: string) => document.getElementById(id)?.textContent;
  const page: ComparedPage = JSON.parse(read(COMPARISON_ID) ?? '');
  const licences: string = JSON.parse(read(LICENCES_ID) || '""');
  const draw = () => render(<ComparedApp page={page} licences={licences} />, root);
  root.replaceChildren();
  draw();
  // By now, the rest of the page has loaded.
  document.addEventListener('DOMContentLoaded', draw);
}
