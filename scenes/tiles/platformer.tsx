<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.8" tiledversion="1.8.2" name="platformer" tilewidth="128" tileheight="128" tilecount="15" columns="0">
 <grid orientation="orthogonal" width="1" height="1"/>
 <tile id="0">
  <image width="128" height="128" source="grassMid.png"/>
  <objectgroup draworder="index" id="2">
   <object id="1" x="0" y="0" width="128" height="128"/>
  </objectgroup>
 </tile>
 <tile id="1">
  <image width="128" height="128" source="grassCenter.png"/>
  <objectgroup draworder="index" id="2">
   <object id="1" x="0" y="0" width="128" height="128"/>
  </objectgroup>
 </tile>
 <tile id="2">
  <image width="128" height="128" source="grassHill_left.png"/>
  <objectgroup draworder="index" id="2">
   <object id="1" x="0" y="0"><polygon points="0,0 128,128 0,128"/></object>
  </objectgroup>
 </tile>
 <tile id="3">
  <image width="128" height="128" source="grassHill_right.png"/>
  <objectgroup draworder="index" id="2">
   <object id="1" x="0" y="128"><polygon points="0,0 128,-128 128,0"/></object>
  </objectgroup>
 </tile>
 <tile id="4">
  <image width="128" height="128" source="grassHalf_mid.png"/>
  <objectgroup draworder="index" id="2">
   <object id="1" x="0" y="0" width="128" height="73"/>
  </objectgroup>
 </tile>
 <tile id="5">
  <image width="128" height="128" source="bridgeA.png"/>
  <objectgroup draworder="index" id="2">
   <object id="1" x="0" y="0" width="128" height="46"/>
  </objectgroup>
 </tile>
 <tile id="6">
  <image width="128" height="128" source="boxCrate.png"/>
 </tile>
 <tile id="7">
  <image width="128" height="128" source="spikes.png"/>
  <objectgroup draworder="index" id="2">
   <object id="1" x="0" y="128"><polygon points="0,0 11,-35 20,-63 108,-63 128,0"/></object>
  </objectgroup>
 </tile>
 <tile id="8">
  <image width="128" height="128" source="coinGold.png"/>
  <objectgroup draworder="index" id="2">
   <object id="1" x="32" y="32" width="64" height="64"><ellipse/></object>
  </objectgroup>
 </tile>
 <tile id="9">
  <image width="128" height="128" source="gemBlue.png"/>
  <objectgroup draworder="index" id="2">
   <object id="1" x="64" y="88"><polygon points="0,0 -35,-27 -23,-48 22,-48 35,-27"/></object>
  </objectgroup>
 </tile>
 <tile id="10">
  <image width="128" height="128" source="saw.png"/>
  <objectgroup draworder="index" id="2">
   <object id="1" x="7" y="7" width="114" height="114"><ellipse/></object>
  </objectgroup>
 </tile>
 <tile id="11">
  <image width="128" height="128" source="slimeGreen.png"/>
  <objectgroup draworder="index" id="2">
   <object id="1" x="20" y="128"><polygon points="0,0 10,-44 44,-62 78,-44 88,0"/></object>
  </objectgroup>
 </tile>
 <tile id="12">
  <image width="128" height="128" source="ladderMid.png"/>
 </tile>
 <tile id="13">
  <image width="128" height="128" source="rock.png"/>
  <objectgroup draworder="index" id="2">
   <object id="1" x="0" y="104"><polygon points="0,0 43,-49 91,-36 128,0 120,24 13,24"/></object>
  </objectgroup>
 </tile>
 <tile id="14">
  <image width="96" height="128" source="adventurer.png"/>
  <objectgroup draworder="index" id="2">
   <object id="1" name="body" x="24" y="80" width="48" height="48"/><object id="2" name="head" x="20" y="33" width="56" height="56"><ellipse/></object>
  </objectgroup>
 </tile>
</tileset>
