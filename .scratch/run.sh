cd /work/main; NODE_OPTIONS="--import tsx --import reflect-metadata" timeout 500 node_modules/.bin/mocha --no-config --timeout 20000 .scratch/preload.ts "$@" 2>&1
