/** Builds, then becomes `credenza <arguments>`: one process, which signals reach. */
import './build.mjs';
import '../bin/credenza.mjs';
