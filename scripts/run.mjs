/** Builds, then becomes `credenza <arguments>`: one process, which signals reach. */
import '../bin/node-version.mjs';
import './build.mjs';
import '../bin/credenza.mjs';
