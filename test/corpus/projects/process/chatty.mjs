import process from 'node:process';

console.log('loading');
process.stdout.write('more\n');

export const agent = () => {
  console.info('thinking');
  // Would keep the process alive.
  setInterval(() => {}, 1000);
  return 'Hi';
};
