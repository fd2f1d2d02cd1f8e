import { fileIn, startProgram, testRecipe } from '../helpers/proxy.ts';

testRecipe({
  name: 'nginx',
  start(recipe, folder) {
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    const http = `http {\naccess_log off;\n${paths.join('\n')}\n${recipe}}\n`;
    // Started by root, nginx would run its workers as another user, who cannot open the folder.
    const user = process.getuid?.() === 0 ? 'user root;\n' : '';
    const file = fileIn(
      folder,
      'nginx.conf',
      `${user}daemon off;\npid ${folder}/pid;\nevents {}\n${http}`,
    );
    return startProgram('nginx', '-p', folder, '-e', `${folder}/error.log`, '-c', file);
  },
});
