/** Writes LICENSES.md; the build has to be there. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { licencesPage } from './delivered.mjs';
import { ROOT } from './fresh-build.mjs';

writeFileSync(join(ROOT, 'LICENSES.md'), licencesPage());
