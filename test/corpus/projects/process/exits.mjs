import process from 'node:process';

export const agent = () => process.exit(0);
