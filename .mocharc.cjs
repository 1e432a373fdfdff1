/** Both lanes of the suite in one run, for `npm run mocha`. */
const processes = require('./.mocharc.processes.json');
const requests = require('./.mocharc.requests.json');

module.exports = { ...requests, spec: [...processes.spec, ...requests.spec] };
