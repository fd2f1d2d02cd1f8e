import { fileIn, startProgram, testRecipe } from './proxy.ts';

testRecipe({
  name: 'haproxy',
  start: (recipe, folder) =>
    startProgram('haproxy', '-db', '-q', '-f', fileIn(folder, 'haproxy.cfg', recipe)),
});
