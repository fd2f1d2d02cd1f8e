import { fileIn, startProgram, testRecipe } from '../helpers/proxy.ts';

testRecipe({
  name: 'haproxy',
  start: (recipe, folder) =>
    startProgram('haproxy', '-db', '-q', '-f', fileIn(folder, 'haproxy.cfg', recipe)),
});
