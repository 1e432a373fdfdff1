/** The whole suite in one run, for `npm run mocha`. */
const requests = require('./.mocharc.requests.json');

module.exports = { ...requests, spec: ['test/**/!(examples|coverage).test.ts', ...requests.spec.slice(1)] };
